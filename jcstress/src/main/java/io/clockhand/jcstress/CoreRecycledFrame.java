// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.table.ChainedPageTable;

/**
 * In a table of core. Ids are made so that all but C share a bucket, which is chosen by the upper bits of a product.
 */
final class CoreRecycledFrame extends RecycledFrame {
    private static final long INVERSE = 0xF1DE_83E1_9937_733DL;
    private static final long[] IDS = {INVERSE, 2 * INVERSE, INVERSE << 62, 3 * INVERSE};

    private final ChainedPageTable table = new ChainedPageTable(3, frame -> IDS[bound.get(frame)]);

    CoreRecycledFrame(boolean inTheMiddle) {
        super(inTheMiddle);
        fill();
    }

    @Override
    int find(int page) {
        return table.find(IDS[page]);
    }

    @Override
    int putIfAbsent(int page, int frame) {
        return table.putIfAbsent(IDS[page], frame);
    }

    @Override
    void remove(int page, int frame) {
        table.remove(IDS[page], frame);
    }
}
