// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.duel.SliceClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** When a run warms up, when it measures, and when it stops: by a time, or by the slices of a duel. Thread-safe. */
final class Interval {
    private static final long TICK_MILLIS = 100;

    private final TpccRun run;
    /** Null if a time is measured. */
    private final SliceClock clock;

    private final CountDownLatch brokenOff = new CountDownLatch(1);
    private final LongAdder operations = new LongAdder();
    // Written by the thread that follows the run.
    private volatile boolean measuring;
    private volatile boolean over;
    private long measuredNanos;

    /** The interval of a run, which begins now. */
    Interval(TpccRun run) throws IOException {
        this.run = run;
        String slices = run.timing().slices();
        clock = slices == null ? null : SliceClock.open(Path.of(slices));
        if (clock != null) {
            clock.ready();
        }
    }

    /** Whether an operation that ends now counts. */
    boolean counts() {
        return clock == null ? measuring : clock.slice() > 0;
    }

    /** The time at which an operation begins, for {@link #countsLatency}. */
    long mark() {
        return clock == null ? 0 : clock.slice();
    }

    /** Whether the latency of an operation that ends now counts: it must not span a stop of the process. */
    boolean countsLatency(long mark) {
        return clock == null ? measuring : clock.counts(mark);
    }

    /** Counts the operations of one thread. */
    LongConsumer counter(int thread) {
        return clock != null ? clock.counter(thread)::add : ended -> operations.add(measuring ? ended : 0);
    }

    /** 0 in a duel, whose referee counts. */
    long operations() {
        return operations.sum();
    }

    double seconds() {
        return measuredNanos / 1e9;
    }

    /** Whether the run should end. */
    boolean isOver() {
        return over || isBrokenOff() || (clock != null && clock.isOver());
    }

    boolean isBrokenOff() {
        return brokenOff.getCount() == 0;
    }

    void breakOff() {
        brokenOff.countDown();
    }

    /** Calls the observer until the run is over. */
    void follow(Observer observer) throws Exception {
        long begin = System.nanoTime();
        long warmup = TimeUnit.SECONDS.toNanos(run.timing().warmupSeconds());
        long length = TimeUnit.SECONDS.toNanos(run.timing().seconds());
        while (clock == null ? System.nanoTime() - begin < warmup : clock.slice() <= 0 && !clock.isOver()) {
            observer.onTick((System.nanoTime() - begin) / (double) (warmup + length));
            if (isBrokenOffMeanwhile()) {
                return;
            }
        }
        observer.onStart();
        measuring = true;
        long start = System.nanoTime();
        while (clock == null ? System.nanoTime() - start < length || remains() > 0 : !clock.isOver()) {
            double passed = (System.nanoTime() - begin) / (double) (warmup + length);
            observer.onTick(Math.min(Math.min(1, passed), 1 - remains()));
            if (isBrokenOffMeanwhile()) {
                return;
            }
        }
        measuring = false;
        over = true;
        measuredNanos = System.nanoTime() - start;
        observer.onEnd();
    }

    /** The share of the least operations that is still missing. */
    private double remains() {
        return run.leastOperations() == 0 ? 0 : 1 - operations() / (double) run.leastOperations();
    }

    private boolean isBrokenOffMeanwhile() throws InterruptedException {
        return brokenOff.await(TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
}
