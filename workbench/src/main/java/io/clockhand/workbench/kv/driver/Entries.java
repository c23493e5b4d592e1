// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The entries of a store, by number: keys of eight bytes, in an order that has nothing to do with the numbers, and
 * values that name their number, so that each entry that is read can be checked.
 *
 * @param valueBytes the length of a value, at least 8
 */
record Entries(int valueBytes) {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014: their mix is a bijection. */
    static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(mix(number)).array();
    }

    private static long mix(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The rest of a value repeats its number, so that it takes the same space in stores that compress. */
    byte[] value(long number) {
        byte[] value = new byte[valueBytes];
        ByteBuffer bytes = ByteBuffer.wrap(value).putLong(number);
        for (long next = mix(~number); bytes.remaining() >= Long.BYTES; next += number) {
            bytes.putLong(next);
        }
        return value;
    }

    /** Whether a value is one of a key. */
    boolean isRight(byte[] key, byte[] value) {
        return value != null && isRight(number(key), value, 0, value.length);
    }

    /** Whether a value is one of the key that has these bytes. */
    boolean isRight(long key, byte[] value, int at, int length) {
        return length == valueBytes && mix(number(value, at)) == key;
    }

    static long number(byte[] bytes) {
        return number(bytes, 0);
    }

    static long number(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }
}
