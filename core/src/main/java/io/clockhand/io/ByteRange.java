// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

/**
 * Bytes of each page that a store or a pool writes by itself, so that nothing else may lie there.
 *
 * @param offset where they begin in the page
 * @param length how many they are
 * @param use names their use in messages, as in "the checksum"
 */
public record ByteRange(int offset, int length, String use) {
    /**
     * Checks them.
     *
     * @param offset where they begin in the page, not negative
     * @param length how many they are, 1 or more
     * @param use names their use
     * @throws IllegalArgumentException if they are no bytes of a page
     */
    public ByteRange {
        if (offset < 0 || length < 1) {
            throw new IllegalArgumentException(use + " lies at no bytes of a page: " + offset + ", length " + length);
        }
    }

    /**
     * {@return whether some bytes are among these}
     *
     * @param from where they begin
     * @param count how many they are
     */
    public boolean overlaps(int from, int count) {
        return from < offset + length && offset < from + count;
    }

    @Override
    public String toString() {
        return use + " (bytes " + offset + " to " + (offset + length - 1) + ")";
    }
}
