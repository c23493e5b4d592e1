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
 */
public final class Entries {
    public static final int VALUE_BYTES = 100;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Entries() {}

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

    /**
     * A value: the number of the entry, a version, numbers that follow from both, and zeros up to its length.
     *
     * @param version distinguishes the values of an entry; 0 when the store is filled
     */
    static byte[] value(long number, long version) {
        byte[] value = new byte[VALUE_BYTES];
        ByteBuffer bytes = ByteBuffer.wrap(value).putLong(number).putLong(version);
        for (long next = check(number, version); bytes.remaining() >= Long.BYTES; next = mix(next)) {
            bytes.putLong(next);
        }
        return value;
    }

    private static long check(long number, long version) {
        return mix(number ^ mix(version));
    }

    /** Whether a value is one of a key, by its first 24 bytes. */
    static boolean isRight(byte[] key, byte[] value) {
        return value != null && isRight(number(key, 0), value, 0, value.length);
    }

    /** Whether a value is one of the key that has these bytes, by its first 24 bytes. */
    static boolean isRight(long key, byte[] value, int at, int length) {
        if (length != VALUE_BYTES) {
            return false;
        }
        long number = number(value, at);
        return mix(number) == key
                && number(value, at + 2 * Long.BYTES) == check(number, number(value, at + Long.BYTES));
    }

    static long number(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }
}
