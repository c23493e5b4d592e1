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
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong failedWrites = new AtomicLong();
    private final AtomicLong readStalls = new AtomicLong();
    private final AtomicLong readStallNanos = new AtomicLong();
    private final AtomicLong pacedChanges = new AtomicLong();
    private final AtomicLong logWaits = new AtomicLong();
    private final AtomicLong logWaitNanos = new AtomicLong();
    private final AtomicLong checkpoints = new AtomicLong();
    private volatile long lastCheckpointNanos;
    private volatile long lastCheckpointDistance;

    void onWrite(int count) {
        pages.getAndAdd(count);
        writes.getAndIncrement();
    }

    void onFailedWrite() {
        failedWrites.getAndIncrement();
    }

    /** A batch has ended of which at least one page has reached its file. */
    void onBatch() {
        batches.getAndIncrement();
    }

    void onLogWait(long nanos) {
        logWaits.getAndIncrement();
        logWaitNanos.getAndAdd(nanos);
    }

    /** Called for one checkpoint after the other. */
    void onCheckpoint(long nanos, long distance) {
        lastCheckpointNanos = nanos;
        lastCheckpointDistance = distance;
        checkpoints.getAndIncrement();
    }

    /**
     * A miss has found no clean frame, and has waited or written.
     *
     * @param nanos for how long
     */
    public void onReadStall(long nanos) {
        readStalls.getAndIncrement();
        readStallNanos.getAndAdd(nanos);
    }

    /** {@return the number of pages written} */
    public long pages() {
        return pages.get();
    }

    /** {@return the number of writes that have succeeded, each of one page, of adjacent ones, or of a batch} */
    public long writes() {
        return writes.get();
    }

    /** {@return the number of batches of which at least one page was written} */
    public long batches() {
        return batches.get();
    }

    /** {@return the number of writes that have failed} */
    public long failedWrites() {
        return failedWrites.get();
    }

    /** {@return how often a miss found no frame at once, and has waited for one or written pages} */
    public long readStalls() {
        return readStalls.get();
    }

    /** {@return how long these misses waited together, their own writes included, in nanoseconds} */
    public long readStallNanos() {
        return readStallNanos.get();
    }

    void onPacedChange() {
        pacedChanges.getAndIncrement();
    }

    /** {@return how often a thread had to write pages before it could change one} */
    public long pacedChanges() {
        return pacedChanges.get();
    }

    /** {@return how often the log was asked to be durable before pages were written; 0 without a log} */
    public long logWaits() {
        return logWaits.get();
    }

    /** {@return the time of all these waits, in nanoseconds} */
    public long logWaitNanos() {
        return logWaitNanos.get();
    }

    /** {@return how long the last checkpoint that has succeeded took, in nanoseconds; 0 before the first} */
    public long lastCheckpointNanos() {
        return lastCheckpointNanos;
    }

    /** {@return the log between the redo position of that checkpoint and its end then, in units of the log} */
    public long lastCheckpointDistance() {
        return lastCheckpointDistance;
    }

    /** {@return the number of checkpoints that have succeeded} */
    public long checkpoints() {
        return checkpoints.get();
    }
}
