// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.io.ByteRange;
import java.util.List;

/**
 * Which bytes of its pages a file uses: the first ones of each, before those of the store. Positions in the file, as
 * Lucene counts them, leave the store's out.
 *
 * @param pageBytes the size of a page
 * @param usableBytes how many bytes of each the file uses
 * @param shift the binary logarithm of {@code usableBytes}; −1 if that is not a power of two
 */
record PageLayout(int pageBytes, int usableBytes, int shift) {
    static PageLayout of(int pageBytes, List<ByteRange> ofStore) {
        int usable = pageBytes;
        for (ByteRange range : ofStore) {
            usable = Math.min(usable, range.offset());
        }
        return new PageLayout(
                pageBytes, usable, Integer.bitCount(usable) == 1 ? Integer.numberOfTrailingZeros(usable) : -1);
    }

    /** {@return the page that has a byte of the file} */
    long page(long position) {
        return shift < 0 ? position / usableBytes : position >> shift; // a division costs as much as all the rest
    }

    /** {@return where in the file a page begins} */
    long begin(long page) {
        return page * usableBytes;
    }

    /**
     * {@return the length of a file as Lucene counts it}
     *
     * @param bytes the bytes of its pages, the store's among them, up to the last byte that the file uses
     */
    long length(long bytes) {
        return bytes / pageBytes * usableBytes + Math.min(usableBytes, bytes % pageBytes);
    }
}
