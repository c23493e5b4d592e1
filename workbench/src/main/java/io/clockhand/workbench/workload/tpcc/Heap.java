// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.function.LongConsumer;

/** The rows of a table by their pages: they lie in the order in which they came, as many on a page as fit. */
final class Heap {
    static final int SLOT_BYTES = 4;
    /** The bytes of a page for rows or entries: all but its header. */
    static final int PAGE_ROOM = 4096 - 64;

    private final LongConsumer pages;
    private final int segment;
    private final int rowsPerPage;
    private long rows;

    /**
     * Makes a heap as it is after the load.
     *
     * @param pages gets the pages that are referred to
     * @param segment the number of the heap among heaps and indexes
     * @param rowBytes of a row, without its slot
     * @param rows how many there are, or room for
     */
    Heap(LongConsumer pages, int segment, int rowBytes, long rows) {
        this.pages = pages;
        this.segment = segment;
        this.rowsPerPage = PAGE_ROOM / (rowBytes + SLOT_BYTES);
        this.rows = rows;
    }

    /** How many rows there are, or room for: the number of the next one. */
    long rows() {
        return rows;
    }

    /** Refers to a row, counted from 0. */
    void fetch(long row) {
        pages.accept(pageId(segment, 0, row / rowsPerPage));
    }

    /** Adds a row behind all others; returns its number. */
    long append() {
        fetch(rows);
        return rows++;
    }

    /**
     * The id of a page.
     *
     * @param segment the number of its heap or index
     * @param height in an index
     * @param number among those of this height
     */
    static long pageId(int segment, int height, long number) {
        return ((long) segment << 4 | height) << 48 | number;
    }
}
