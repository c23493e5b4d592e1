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

    /** The value of an entry when the store is filled. */
    byte[] value(long number) {
        return value(number, 0);
    }

    /**
     * A value: the number of the entry, a version, numbers that follow from both, and zeros up to its length.
     *
     * @param version distinguishes the values of an entry
     */
    byte[] value(long number, long version) {
        byte[] value = new byte[valueBytes];
        ByteBuffer bytes = ByteBuffer.wrap(value).putLong(number);
        if (bytes.remaining() >= Long.BYTES) {
            bytes.putLong(version);
        }
        for (long next = check(number, version); bytes.remaining() >= Long.BYTES; next = mix(next)) {
            bytes.putLong(next);
        }
        return value;
    }

    private static long check(long number, long version) {
        return mix(number ^ mix(version));
    }

    /** Whether a value is one of a key, by its first 24 bytes. */
    boolean isRight(byte[] key, byte[] value) {
        return value != null && isRight(number(key), value, 0, value.length);
    }

    /** Whether a value is one of the key that has these bytes, by its first 24 bytes. */
    boolean isRight(long key, byte[] value, int at, int length) {
        if (length != valueBytes) {
            return false;
        }
        long number = number(value, at);
        return mix(number) == key
                && (length < 3 * Long.BYTES
                        || number(value, at + 2 * Long.BYTES) == check(number, number(value, at + Long.BYTES)));
    }

    static long number(byte[] bytes) {
        return number(bytes, 0);
    }

    static long number(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }
}
