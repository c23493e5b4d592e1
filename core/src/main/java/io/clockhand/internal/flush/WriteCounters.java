// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts of writes. Always on: the time for a count is short beside a write. Atomic numbers, and no striped ones, since
 * those may need memory after the pages were written. Thread-safe.
 */
public final class WriteCounters {
    private final AtomicLong pages = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failedWrites = new AtomicLong();
    private final AtomicLong readStalls = new AtomicLong();
    private final AtomicLong checkpoints = new AtomicLong();

    void onWrite(int count) {
        pages.getAndAdd(count);
        writes.getAndIncrement();
    }

    void onFailedWrite() {
        failedWrites.getAndIncrement();
    }

    void onCheckpoint() {
        checkpoints.getAndIncrement();
    }

    /** A miss has found no clean frame, and begins to write. */
    public void onReadStall() {
        readStalls.getAndIncrement();
    }

    /** {@return the number of pages written} */
    public long pages() {
        return pages.get();
    }

    /** {@return the number of writes that have succeeded, each of one page or of some adjacent ones} */
    public long writes() {
        return writes.get();
    }

    /** {@return the number of writes that have failed} */
    public long failedWrites() {
        return failedWrites.get();
    }

    /** {@return how often a miss has found no clean frame, and has begun to write} */
    public long readStalls() {
        return readStalls.get();
    }

    /** {@return the number of checkpoints that have succeeded} */
    public long checkpoints() {
        return checkpoints.get();
    }
}
