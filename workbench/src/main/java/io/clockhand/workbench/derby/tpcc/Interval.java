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
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final CountDownLatch brokenOff = new CountDownLatch(1);
    /** Null if a time is measured. */
    private final SliceClock clock;

    private final long begin = System.nanoTime();
    private final long measureFrom;
    private final long measureTo;
    private final long leastOperations;
    private final LongAdder operations = new LongAdder();

    private Interval(SliceClock clock, TpccRun run) {
        this.clock = clock;
        this.leastOperations = run.leastOperations();
        measureFrom = begin + TimeUnit.SECONDS.toNanos(run.warmupSeconds());
        measureTo = measureFrom + TimeUnit.SECONDS.toNanos(run.seconds());
    }

    /** The interval of a run, which begins now. */
    static Interval of(TpccRun run) throws IOException {
        if (run.slices() == null) {
            return new Interval(null, run);
        }
        SliceClock clock = SliceClock.open(Path.of(run.slices()));
        clock.ready();
        return new Interval(clock, run);
    }

    /** Whether an operation that ends now counts. */
    boolean counts() {
        return hasStarted() && (clock != null || !isMeasured());
    }

    /** The time at which an operation begins, for {@link #countsLatency}. */
    long mark() {
        return clock == null ? 0 : clock.slice();
    }

    /** Whether the latency of an operation that ends now counts: it must not span a stop of the process. */
    boolean countsLatency(long mark) {
        return clock == null ? counts() : clock.counts(mark);
    }

    /** Counts the operations of one thread. */
    LongConsumer counter(int thread) {
        if (clock != null) {
            return clock.counter(thread)::add;
        }
        return ended -> operations.add(counts() ? ended : 0);
    }

    /** Whether the run should end. */
    boolean isOver() {
        return isBrokenOff() || (clock == null ? isMeasured() : clock.isOver());
    }

    private boolean isMeasured() {
        return System.nanoTime() - measureTo >= 0 && (leastOperations == 0 || operations.sum() >= leastOperations);
    }

    private boolean hasStarted() {
        return clock == null ? System.nanoTime() - measureFrom >= 0 : clock.slice() > 0;
    }

    /** The part of the run that has passed; 0 in a duel, whose parent shows how far it is. */
    private double fraction() {
        if (clock != null) {
            return 0;
        }
        double passed = 1 - (measureTo - System.nanoTime()) / (double) (measureTo - begin);
        return leastOperations == 0 ? passed : Math.min(passed, operations.sum() / (double) leastOperations);
    }

    boolean isBrokenOff() {
        return brokenOff.getCount() == 0;
    }

    void breakOff() {
        brokenOff.countDown();
    }

    /** Calls the observer until the run is over. */
    void follow(Observer observer) throws Exception {
        boolean started = false;
        do {
            if (!started && hasStarted()) {
                observer.onStart();
                started = true;
            }
            if (isOver()) {
                observer.onEnd();
                return;
            }
            observer.onTick(fraction());
        } while (!brokenOff.await(Math.min(TICK_NANOS, nanosToChange()), TimeUnit.NANOSECONDS));
    }

    /** The nanoseconds to the start or the end. */
    private long nanosToChange() {
        long now = System.nanoTime();
        long change = (now - measureFrom < 0 ? measureFrom : measureTo) - now;
        return clock == null && change > 0 ? change : TICK_NANOS;
    }
}
