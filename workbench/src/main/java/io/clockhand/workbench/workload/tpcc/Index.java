// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import io.clockhand.workbench.workload.tpcc.Heap.PageSpace;
import java.util.function.LongConsumer;

/**
 * A B+-tree by its pages. Its entries come in groups that lie one behind the other: the whole index is one, or each
 * district is one, which then grows at its end only. Pages are loaded 70 % full, as random inserts leave them.
 *
 * <p>Leaves that a group gets later hang under the page that its last loaded leaf hangs under, until that is full, then
 * under pages of the group's own, which are separate from it.
 */
final class Index {
    private static final int SLOT_BYTES = 4;
    private static final double FILL = 0.7;
    /** Marks the numbers of pages that came after the load. */
    private static final long GROWN = 1L << 47;

    private static final int GROUP_SHIFT = 24;

    private final int segment;
    private final int entriesPerPage;
    private final int leavesPerGroup;
    /** How many leaves one inner page takes more than it was loaded with. */
    private final int spareLeaves;
    /** From the leaf to the root. */
    private final long[] path;

    /**
     * Makes an index as it is after the load.
     *
     * @param segment its number among heaps and indexes
     * @param keyBytes of an entry, which has 8 more for the place of the row
     * @param groups how many groups there are
     * @param entriesPerGroup how many entries of each are loaded
     */
    Index(int segment, int keyBytes, long groups, int entriesPerGroup) {
        int full = PageSpace.ROOM / (keyBytes + Long.BYTES + SLOT_BYTES);
        this.segment = segment;
        this.entriesPerPage = (int) (FILL * full);
        this.leavesPerGroup = (entriesPerGroup - 1) / entriesPerPage + 1;
        this.spareLeaves = full - entriesPerPage;
        int height = 1;
        for (long pages = groups * leavesPerGroup; pages > 1; pages = (pages - 1) / entriesPerPage + 1) {
            height++;
        }
        this.path = new long[height];
    }

    /** How many entries a loaded leaf has. */
    int entriesPerPage() {
        return entriesPerPage;
    }

    /** How many pages there are from the root to a leaf. */
    int height() {
        return path.length;
    }

    /** Hands over the pages from the root to the leaf of an entry. */
    void search(long group, int entry, LongConsumer pages) {
        int leaf = entry / entriesPerPage;
        int later = leaf - leavesPerGroup;
        path[0] = leafPage(group, leaf);
        long beside = (group * leavesPerGroup + Math.min(leaf, leavesPerGroup - 1)) / entriesPerPage;
        for (int height = 1; height < path.length; height++) {
            boolean grown = height == 1 && height < path.length - 1 && later >= spareLeaves;
            path[height] = grown
                    ? grownPage(1, group, (later - spareLeaves) / entriesPerPage)
                    : PageSpace.page(segment, height, beside);
            beside /= entriesPerPage;
        }
        for (int height = path.length - 1; height >= 0; height--) {
            pages.accept(path[height]);
        }
    }

    /** Hands over a leaf that is reached from the one before it. */
    void leaf(long group, int leaf, LongConsumer pages) {
        pages.accept(leafPage(group, leaf));
    }

    private long leafPage(long group, int leaf) {
        return leaf < leavesPerGroup
                ? PageSpace.page(segment, 0, group * leavesPerGroup + leaf)
                : grownPage(0, group, leaf - leavesPerGroup);
    }

    private long grownPage(int height, long group, int number) {
        return PageSpace.page(segment, height, GROWN | group << GROUP_SHIFT | number);
    }
}
