// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

/**
 * Ids for pages: the number of a heap or an index, the height of the page in it, and a number among those of that
 * height.
 */
final class PageSpace {
    static final int PAGE_BYTES = 4096;
    /** The bytes of a page for rows or entries: all but its header. */
    static final int ROOM = PAGE_BYTES - 64;

    private static final int NUMBER_BITS = 48;
    private static final int HEIGHT_BITS = 4;

    private PageSpace() {}

    static long page(int segment, int height, long number) {
        return ((long) segment << HEIGHT_BITS | height) << NUMBER_BITS | number;
    }
}
