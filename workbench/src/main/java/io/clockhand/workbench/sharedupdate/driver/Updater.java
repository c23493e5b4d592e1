// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.io.IOException;
import java.util.Arrays;

/**
 * Updates the rows of one thread, one after the other. Not thread-safe. An update allocates nothing, but perhaps an LSN
 * of ten bytes.
 */
public abstract class Updater implements AutoCloseable {
    /** A power of two; the latest are kept. */
    private static final int SAMPLES = 1 << 12;

    private final int thread;
    private final Log log;
    private final int[] offsets;
    private final boolean counts;
    private final long[] appendNanos;
    private long updates;
    private long lastLsn;
    private long waits;

    Updater(HotPage page, int thread, Log log, boolean counts) {
        this.thread = thread;
        this.log = log;
        this.offsets = page.rows().offsets(thread);
        this.counts = counts;
        this.appendNanos = new long[counts ? SAMPLES : 0];
    }

    /** Updates the next row. */
    public final void update() throws IOException {
        int offset = offsets[(int) updates & (offsets.length - 1)];
        lastLsn = update(offset, Rows.value(thread, updates));
        updates++;
    }

    /** Returns the LSN of the record of the change. */
    abstract long update(int offset, long value) throws IOException;

    final long append(int offset, long value) {
        if (!counts) {
            return log.append(offset, value);
        }
        long begin = System.nanoTime();
        long lsn = log.append(offset, value);
        appendNanos[(int) updates & (SAMPLES - 1)] = System.nanoTime() - begin;
        return lsn;
    }

    /** Whether it tries before it waits, and counts the tries that failed. */
    final boolean counts() {
        return counts;
    }

    final void countWait() {
        waits++;
    }

    int thread() {
        return thread;
    }

    /** So far. */
    public long updates() {
        return updates;
    }

    long lastLsn() {
        return lastLsn;
    }

    /** How often a try to get the page failed; 0 if nothing is counted. */
    public long waits() {
        return waits;
    }

    /** How long the latest appends took; empty if nothing is counted. */
    long[] appendNanos() {
        return Arrays.copyOf(appendNanos, (int) Math.min(updates, appendNanos.length));
    }

    @Override
    public void close() {}
}
