// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.page.BufferPool;
import io.clockhand.page.WriteStats;
import io.clockhand.workbench.pages.driver.Steadiness;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The writes of a run.
 *
 * @param overTime of a timed run, after its warm-up; empty if it was counted
 * @param changes that the threads have made, in the whole run
 * @param found changes that the pages have after the close of the pool, all together
 */
public record Written(List<Moment> overTime, long changes, long found) {

    /**
     * Figures of an interval.
     *
     * @param pages pages written
     * @param calls writes, each of one page or of some adjacent ones
     * @param batches into which the pages were collected
     * @param readStalls misses that found no clean frame, and have written pages themselves
     * @param logWaits batches that waited for the log
     * @param dirtyPages at the end
     */
    public record Writes(long pages, long calls, long batches, long readStalls, long logWaits, int dirtyPages) {

        Writes since(Writes before) {
            return new Writes(
                    pages - before.pages,
                    calls - before.calls,
                    batches - before.batches,
                    readStalls - before.readStalls,
                    logWaits - before.logWaits,
                    dirtyPages);
        }

        /** Null if no batch was written. */
        public Double pagesPerBatch() {
            return batches == 0 ? null : Double.valueOf((double) pages / batches);
        }
    }

    /**
     * About a second.
     *
     * @param second its end, since the measured interval began
     * @param dirtyPages at its end
     */
    public record Moment(double second, double accessesPerSecond, double pagesWrittenPerSecond, int dirtyPages) {}

    /** Changes that threads have made, but that are not in the pages. */
    public long lost() {
        return changes - found;
    }

    public double pagesWrittenPerSecond() {
        return overTime.stream()
                .mapToDouble(Moment::pagesWrittenPerSecond)
                .average()
                .orElse(0);
    }

    /** The share of the seconds with at least half as many accesses as the median one; null without a second. */
    public Double steadyRatio() {
        return Steadiness.steadyShare(
                overTime.stream().map(Moment::accessesPerSecond).toList());
    }

    /** Reads the counters of a pool and its log, in the measured interval once a second. */
    static final class WriteMeter implements WorkThreads.Interval {
        private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

        private final BufferPool pool;
        private final WaitingLog log;
        private final LongSupplier played;
        private final List<Moment> moments = new ArrayList<>();
        private long begin;
        private long lastNanos;
        private long lastPlayed;
        private Writes last;

        /** {@code played} is the number of references played so far. */
        WriteMeter(BufferPool pool, WaitingLog log, LongSupplier played) {
            this.pool = pool;
            this.log = log;
            this.played = played;
        }

        /** Since the pool was made. */
        Writes now() {
            WriteStats stats = pool.stats().writing();
            return new Writes(
                    stats.pagesWritten(),
                    stats.writes(),
                    stats.batches(),
                    stats.readStalls(),
                    log.waits(),
                    stats.dirtyPages());
        }

        @Override
        public void begins() {
            begin = System.nanoTime();
            lastNanos = 0;
            lastPlayed = played.getAsLong();
            last = now();
        }

        @Override
        public void second() {
            long nanos = System.nanoTime() - begin;
            Writes writes = now();
            long accesses = played.getAsLong();
            double seconds = (nanos - lastNanos) / NANOS;
            moments.add(new Moment(
                    nanos / NANOS,
                    (accesses - lastPlayed) / seconds,
                    writes.since(last).pages() / seconds,
                    writes.dirtyPages()));
            last = writes;
            lastPlayed = accesses;
            lastNanos = nanos;
        }

        List<Moment> moments() {
            return moments;
        }
    }
}
