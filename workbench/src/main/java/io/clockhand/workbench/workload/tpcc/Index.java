// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.function.LongConsumer;

/**
 * A B+-tree by its pages. Its entries come in groups that lie one behind the other: the whole index is one, or each
 * district is one, which then grows at its end only. Pages are loaded 70 % full, as random inserts leave them.
 *
 * <p>Leaves that a group gets later hang under the page that its last loaded leaf hangs under, until that is full, then
 * under pages of the group's own, which are separate from it.
 */
final class Index {
    private static final double FILL = 0.7;
    /** Marks the numbers of pages that came after the load. */
    private static final long GROWN = 1L << 47;

    private final LongConsumer pages;
    private final int segment;
    private final int entriesPerPage;
    private final int leavesPerGroup;
    /** How many leaves one inner page takes more than it was loaded with. */
    private final int spareLeaves;

    private final int height;

    /**
     * Makes an index as it is after the load.
     *
     * @param pages gets the pages that are referred to
     * @param segment the number of the index among heaps and indexes
     * @param keyBytes of an entry, which has 8 more for the place of the row
     * @param groups how many groups there are
     * @param entriesPerGroup how many entries of each are loaded
     */
    Index(LongConsumer pages, int segment, int keyBytes, long groups, int entriesPerGroup) {
        int full = Heap.PAGE_ROOM / (keyBytes + Long.BYTES + Heap.SLOT_BYTES);
        this.pages = pages;
        this.segment = segment;
        this.entriesPerPage = (int) (FILL * full);
        this.leavesPerGroup = (entriesPerGroup - 1) / entriesPerPage + 1;
        this.spareLeaves = full - entriesPerPage;
        int levels = 1;
        for (long count = groups * leavesPerGroup; count > 1; count = (count - 1) / entriesPerPage + 1) {
            levels++;
        }
        this.height = levels;
    }

    /** How many entries a loaded leaf has. */
    int entriesPerPage() {
        return entriesPerPage;
    }

    /** How many pages there are from the root to a leaf. */
    int height() {
        return height;
    }

    /** Refers to the pages from the root to the leaf of an entry. */
    void search(long group, int entry) {
        int leaf = entry / entriesPerPage;
        int ownParent = leaf - leavesPerGroup - spareLeaves;
        long parent = (group * leavesPerGroup + Math.min(leaf, leavesPerGroup - 1)) / entriesPerPage;
        if (ownParent >= 0 && height > 2) {
            inner(2, parent / entriesPerPage);
            pages.accept(grownPage(1, group, ownParent / entriesPerPage));
        } else {
            inner(1, parent);
        }
        leaf(group, leaf);
    }

    /** Refers to the pages from the root to the one with this number at this level. */
    private void inner(int level, long number) {
        if (level < height) {
            inner(level + 1, number / entriesPerPage);
            pages.accept(Heap.pageId(segment, level, number));
        }
    }

    /** Refers to a leaf alone. */
    void leaf(long group, int leaf) {
        pages.accept(
                leaf < leavesPerGroup
                        ? Heap.pageId(segment, 0, group * leavesPerGroup + leaf)
                        : grownPage(0, group, leaf - leavesPerGroup));
    }

    private long grownPage(int level, long group, int number) {
        return Heap.pageId(segment, level, GROWN | group << 24 | number);
    }
}
