// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.SmallStack;
import org.junit.jupiter.api.Test;

/** Changes of a page table that overflow the stack, at every depth. */
class ChainedPageTableFailuresTest {
    private static final int FRAMES = 8;
    /** By which the table multiplies an id. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** All ids share a chain, so most removals are from its middle. */
    @Test
    void noBucketStaysHeldAfterRemovalsThatOverflowedTheStack() {
        long[] ids = new long[FRAMES];
        ChainedPageTable table = new ChainedPageTable(FRAMES, frame -> ids[frame]);
        long id = 0;
        for (int frame = 0; frame < FRAMES; id++) {
            if ((id * SPREAD) >>> (Long.SIZE - 4) == 0) { // the first of 16 buckets
                ids[frame++] = id;
            }
        }
        for (int frame = 0; frame < FRAMES; frame++) {
            table.putIfAbsent(ids[frame], frame);
        }

        int overflows = SmallStack.dive(40, depth -> {
            int frame = depth * 5 % FRAMES;
            table.remove(ids[frame], frame);
            table.putIfAbsent(ids[frame], frame);
        });

        assertThat(overflows).isGreaterThan(40);
        for (int frame = 0; frame < FRAMES; frame++) {
            table.remove(ids[frame], frame);
            assertThat(table.find(ids[frame])).isEqualTo(PageTable.NONE);
            assertThat(table.putIfAbsent(ids[frame], frame)).isEqualTo(PageTable.NONE);
            assertThat(table.find(ids[frame])).isEqualTo(frame);
        }
        assertThat(table.size()).isEqualTo(FRAMES);
    }
}
