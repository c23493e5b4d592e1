// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.wal.WriteAheadLog;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A log without records, which takes a time to become durable. One force makes everything durable that was appended
 * before it; threads that come meanwhile wait for the next.
 *
 * <p>{@code end} is advanced by appends; {@code durable} is written under the monitor. Thread-safe.
 */
final class WaitingLog implements WriteAheadLog {
    private final long nanos;
    private final AtomicLong end = new AtomicLong();
    private final AtomicLong waits = new AtomicLong();
    private volatile long durable;

    /** With forces that take so long; negative for no log, whose end is always 0. */
    WaitingLog(long nanos) {
        this.nanos = nanos;
    }

    /** Appends a record, and returns its LSN. */
    long append() {
        return nanos < 0 ? 0 : end.incrementAndGet();
    }

    @Override
    public long end() {
        return end.get();
    }

    @Override
    public void makeDurable(long lsn) {
        if (lsn <= durable) {
            return;
        }
        waits.incrementAndGet();
        synchronized (this) {
            if (lsn > durable) {
                long forced = end.get();
                force();
                durable = forced;
            }
        }
    }

    /** An interrupt does not shorten the wait, and is kept. */
    private void force() {
        long begin = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(this, left); // returns at once if the thread was interrupted
        }
    }

    /** How often it was asked to be durable and was not yet: once for each batch that waited. */
    long waits() {
        return waits.get();
    }
}
