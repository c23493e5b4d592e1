// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.table.ArrayPageTable;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.internal.table.PageTable;
import io.clockhand.page.BufferPool;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.page.PageTableKind;

/**
 * Page pools of tests that do not choose the page table. The build runs these tests once for each of Clockhand's own
 * tables, and names the table in the environment, since the programs that tests start inherit it.
 */
public final class Pools {
    private static final String VARIABLE = "CLOCKHAND_TEST_TABLE";
    private static final long TABLE_BYTES = 1 << 16;

    private Pools() {}

    /** {@return a builder of pools with the table of this run, and waits that only a hang ends} */
    public static BufferPoolBuilder builder() {
        return BufferPool.builder()
                .exhaustedAfter(Patience.PATIENCE)
                .waitTimeout(Patience.PATIENCE)
                .tuning(tuning -> tuning.table(table()));
    }

    /** {@return the table of this run; the default one if the environment names none} */
    public static PageTableKind table() {
        String name = System.getenv(VARIABLE);
        return name == null ? PageTableKind.DEFAULT : PageTableKind.valueOf(name);
    }

    /**
     * Creates an empty table of the kind of this run, for a pool that is made without a builder.
     *
     * @param frames the number of frames
     * @param states their states
     * @return the table
     */
    public static PageTable newTable(int frames, FrameStates states) {
        return switch (table()) {
            case CHAINED -> new ChainedPageTable(frames, states::identity);
            case ARRAY -> new ArrayPageTable(frames, states::identity, TABLE_BYTES);
            case NON_BLOCKING_HASH_MAP -> throw new IllegalStateException(VARIABLE + " is " + table());
        };
    }
}
