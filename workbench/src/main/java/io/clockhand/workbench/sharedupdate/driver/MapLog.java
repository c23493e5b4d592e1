// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.space.SpaceLog;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Appends the records of a free-space map to a {@link Log}. Thread-safe. */
final class MapLog implements SpaceLog {
    /** A power of two; the latest are kept. */
    private static final int SAMPLES = 1 << 14;

    private final Log log;
    private final boolean counts;
    private final AtomicLong appends = new AtomicLong();
    private final AtomicLongArray nanos = new AtomicLongArray(SAMPLES);

    /**
     * Makes one.
     *
     * @param counts whether appends are timed, which slows them
     */
    MapLog(Log log, boolean counts) {
        this.log = log;
        this.counts = counts;
    }

    @Override
    public long change(long page, int mask, int bits) {
        return append((int) page, bits);
    }

    @Override
    public long creation(long mapPage) {
        return append((int) mapPage, 0);
    }

    private long append(int offset, int value) {
        if (!counts) {
            return log.append(offset, value);
        }
        long begin = System.nanoTime();
        long lsn = log.append(offset, value);
        nanos.set((int) appends.getAndIncrement() & (SAMPLES - 1), System.nanoTime() - begin);
        return lsn;
    }

    /** How long the latest appends took; empty if nothing is counted. */
    long[] appendNanos() {
        long[] latest = new long[(int) Math.min(SAMPLES, appends.get())];
        for (int i = 0; i < latest.length; i++) {
            latest[i] = nanos.get(i);
        }
        return latest;
    }
}
