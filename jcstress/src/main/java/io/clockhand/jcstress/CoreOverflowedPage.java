// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.table.ArrayPageTable;
import io.clockhand.internal.table.PageTable;

/** In a table of core, with chunks of two pages and space for one of them, which belongs to other pages. */
final class CoreOverflowedPage implements OverflowedPage {
    private static final long PAGE = 0;
    private static final long OTHER = 2;
    private static final int OTHERS_FRAME = 3;
    private static final int FRAMES = 4;
    private static final long HINTS = 1024 * Integer.BYTES;
    /** All nodes on the way to the chunk, which was created last, and the root. */
    private static final int NODES = 3;

    private static final long MAX_BYTES = bytesWithAChunk();

    private final ArrayPageTable table = new ArrayPageTable(FRAMES, frame -> bound(frame), MAX_BYTES, 1, 0);

    CoreOverflowedPage() {
        table.putIfAbsent(OTHER, OTHERS_FRAME);
        table.remove(OTHER, OTHERS_FRAME);
        if (table.bytes() != MAX_BYTES + HINTS) {
            throw new IllegalStateException("the other pages have no chunk: " + table.bytes());
        }
        sweep(table, 2 * NODES - 1);
        table.putIfAbsent(PAGE, 0);
        table.remove(PAGE, 0);
        if (table.bytes() <= MAX_BYTES + HINTS) {
            throw new IllegalStateException("the page has not overflowed: " + table.bytes());
        }
    }

    private static long bytesWithAChunk() {
        ArrayPageTable large = new ArrayPageTable(FRAMES, frame -> OTHER, 1 << 20, 1, 0);
        large.putIfAbsent(OTHER, OTHERS_FRAME);
        return large.bytes() - HINTS;
    }

    private static void sweep(ArrayPageTable swept, int visits) {
        for (int visit = 0; visit < visits; visit++) {
            swept.sweep();
        }
    }

    private static long bound(int frame) {
        return frame == OTHERS_FRAME ? OTHER : PAGE;
    }

    @Override
    public boolean map(int frame) {
        return table.putIfAbsent(PAGE, frame) == PageTable.NONE;
    }

    @Override
    public void makeSpace() {
        table.sweep();
    }
}
