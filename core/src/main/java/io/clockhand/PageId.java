// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * The id of a page: the number of its file in 20 bits and its number in the file in the lower 43, packed into one long
 * that is not negative. The engine chooses the number of a file, so ids can be stored, in log records and child
 * pointers for example.
 */
public final class PageId {
    /** The greatest number of a file: 1,048,575. */
    public static final int GREATEST_FILE = (1 << 20) - 1;
    /** The greatest number of a page in its file: 8,796,093,022,207. */
    public static final long GREATEST_PAGE = (1L << 43) - 1;

    private static final int PAGE_BITS = 43;

    private PageId() {}

    /**
     * Packs an id.
     *
     * @param file the number under which the file is open in the pool
     * @param page the number of the page in the file, from 0
     * @return the id
     * @throws IllegalArgumentException if one of them is negative or too great
     */
    public static long of(int file, long page) {
        if (file < 0 || file > GREATEST_FILE || page < 0 || page > GREATEST_PAGE) {
            throw new IllegalArgumentException("there is no page " + page + " of file " + file + ": files go from 0 to "
                    + GREATEST_FILE + ", pages from 0 to " + GREATEST_PAGE);
        }
        return (long) file << PAGE_BITS | page;
    }

    /**
     * {@return the number of the file}
     *
     * @param id an id
     */
    public static int file(long id) {
        return (int) (id >>> PAGE_BITS);
    }

    /**
     * {@return the number of the page in its file}
     *
     * @param id an id
     */
    public static long page(long id) {
        return id & GREATEST_PAGE;
    }
}
