// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.duel.SliceClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** When a run warms up, when it measures, and when it stops. Thread-safe. */
public final class Interval {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Called while the terminals work. */
    public interface Watch {
        /** The warm-up is over. */
        void onStart() throws Exception;

        /** Several times a second, with the part of the run that has passed. */
        void onTick(double fraction) throws Exception;

        /** Measuring is over; not called if the run was broken off. */
        void onEnd() throws Exception;
    }

    private final CountDownLatch brokenOff = new CountDownLatch(1);
    /** Null if a time is measured. */
    private final SliceClock clock;

    private final long begin = System.nanoTime();
    private final long measureFrom;
    private final long measureTo;
    private final long leastOperations;
    private final LongAdder operations = new LongAdder();

    private Interval(SliceClock clock, int warmupSeconds, int seconds, long leastOperations) {
        this.clock = clock;
        this.leastOperations = leastOperations;
        measureFrom = begin + TimeUnit.SECONDS.toNanos(warmupSeconds);
        measureTo = measureFrom + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Measures for a time after a warm-up, from now on, and beyond until a number of operations was counted. */
    public static Interval timed(int warmupSeconds, int seconds, long leastOperations) {
        return new Interval(null, warmupSeconds, seconds, leastOperations);
    }

    /** Measures in slices of a duel, from now on. */
    public static Interval sliced(String slices) throws IOException {
        SliceClock clock = SliceClock.open(Path.of(slices));
        clock.ready();
        return new Interval(clock, 0, 0, 0);
    }

    /** Whether an operation that ends now counts. */
    public boolean counts() {
        return hasStarted() && (clock != null || !isMeasured());
    }

    /** The time at which an operation begins, for {@link #countsLatency}. */
    public long mark() {
        return clock == null ? 0 : clock.slice();
    }

    /** Whether the latency of an operation that ends now counts: it must not span a stop of the process. */
    public boolean countsLatency(long mark) {
        return clock == null ? counts() : clock.counts(mark);
    }

    /** Counts the operations of one thread. */
    public LongConsumer counter(int thread) {
        if (clock != null) {
            return clock.counter(thread)::add;
        }
        return leastOperations == 0 ? ended -> {} : ended -> operations.add(counts() ? ended : 0);
    }

    /** Whether the run should end. */
    public boolean isOver() {
        return isBrokenOff() || (clock == null ? isMeasured() : clock.isOver());
    }

    private boolean isMeasured() {
        return System.nanoTime() - measureTo >= 0 && operations.sum() >= leastOperations;
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

    public boolean isBrokenOff() {
        return brokenOff.getCount() == 0;
    }

    public void breakOff() {
        brokenOff.countDown();
    }

    /** Calls the watch until the run is over. */
    public void follow(Watch watch) throws Exception {
        boolean started = false;
        while (!isBrokenOff()) {
            if (!started && hasStarted()) {
                watch.onStart();
                started = true;
            }
            if (isOver()) {
                watch.onEnd();
                return;
            }
            watch.onTick(fraction());
            pause(TICK_NANOS);
        }
    }

    /** Waits so long, but not beyond the end of the run. */
    public void pause(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !isOver(); left = end - System.nanoTime()) {
            boolean cutShort = brokenOff.await(Math.min(left, untilChange()), TimeUnit.NANOSECONDS);
            assert !cutShort || isBrokenOff();
        }
    }

    /** The nanoseconds after which something may change. */
    private long untilChange() {
        long now = System.nanoTime();
        long change = (now - measureFrom < 0 ? measureFrom : measureTo) - now;
        return clock == null && change > 0 ? change : TICK_NANOS;
    }
}
