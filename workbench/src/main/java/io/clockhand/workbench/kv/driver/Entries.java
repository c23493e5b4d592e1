// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import java.nio.ByteBuffer;

/**
 * The entries of a store, by number: keys of eight bytes, in an order that has nothing to do with the numbers, and
 * values that name their number, so that each entry that is read can be checked.
 *
 * @param valueBytes the length of a value, at least 8
 */
record Entries(int valueBytes) {
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
        return value != null
                && value.length == valueBytes
                && mix(number(value)) == ByteBuffer.wrap(key).getLong();
    }

    static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }
}
