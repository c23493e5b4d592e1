// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;

/**
 * Updates the rows of one thread, one after the other. Not thread-safe. An update allocates nothing, but perhaps an LSN
 * of ten bytes.
 */
public abstract class Updater implements WorkThreads.Worker {
    /** Updates between two looks at a flag, where they do not wait. */
    private static final int CHUNK = 16;

    /** Whether it tries before it waits, and counts the tries that failed. */
    final boolean counts;

    final int thread;
    private final int chunk;
    private final int[] offsets;
    long updates;
    long lastLsn;
    /** How often a try to get the page failed; 0 if nothing is counted. */
    long waits;

    Updater(HotPage page, int thread, boolean counts) {
        this.thread = thread;
        this.counts = counts;
        chunk = page.log.waits() ? 1 : CHUNK;
        offsets = page.rows.offsets(thread);
    }

    @Override
    public final int work(boolean measuring, SliceClock clock) throws IOException {
        for (int i = 0; i < chunk; i++) {
            update();
        }
        return chunk;
    }

    /** Updates the next row. */
    public final void update() throws IOException {
        int offset = offsets[(int) updates & (offsets.length - 1)];
        lastLsn = update(offset, Rows.value(thread, updates));
        updates++;
    }

    /** Returns the LSN of the record of the change. */
    abstract long update(int offset, long value) throws IOException;

    @Override
    public void close() {}
}
