// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.function.LongConsumer;

/** The rows of a table by their pages: they lie in the order in which they came, as many on a page as fit. */
final class Heap {
    private static final int SLOT_BYTES = 4;

    private final int segment;
    private final int rowsPerPage;
    private long rows;

    /**
     * Makes a heap as it is after the load.
     *
     * @param segment its number among heaps and indexes
     * @param rowBytes of a row, without its slot
     * @param rows how many there are, or room for
     */
    Heap(int segment, int rowBytes, long rows) {
        this.segment = segment;
        this.rowsPerPage = PageSpace.ROOM / (rowBytes + SLOT_BYTES);
        this.rows = rows;
    }

    int rowsPerPage() {
        return rowsPerPage;
    }

    /** How many rows there are, or room for: the number of the next one. */
    long rows() {
        return rows;
    }

    /** Hands over the page of a row, counted from 0. */
    void fetch(long row, LongConsumer pages) {
        pages.accept(PageSpace.page(segment, 0, row / rowsPerPage));
    }

    /** Adds a row behind all others, and hands its page over. */
    long append(LongConsumer pages) {
        fetch(rows, pages);
        return rows++;
    }

    /**
     * Ids for pages: the number of a heap or an index, the height of the page in it, and a number among those of that
     * height.
     */
    static final class PageSpace {
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
}
