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
public abstract class Interval {
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

    /** Measures for a time after a warm-up, from now on. */
    public static Interval timed(int warmupSeconds, int seconds) {
        return timed(warmupSeconds, seconds, 0);
    }

    /** Measures for a time after a warm-up, from now on, and beyond until a number of operations was counted. */
    public static Interval timed(int warmupSeconds, int seconds, long leastOperations) {
        return new Timed(
                System.nanoTime(),
                TimeUnit.SECONDS.toNanos(warmupSeconds),
                TimeUnit.SECONDS.toNanos(seconds),
                leastOperations);
    }

    /** Measures in slices of a duel, from now on. */
    public static Interval sliced(String slices) throws IOException {
        return new Sliced(SliceClock.open(Path.of(slices)));
    }

    /** Whether an operation that ends now counts. */
    public abstract boolean counts();

    /** The time at which an operation begins, for {@link #countsLatency}. */
    public abstract long mark();

    /** Whether the latency of an operation that ends now counts: it must not span a stop of the process. */
    public abstract boolean countsLatency(long mark);

    /** Counts the operations of one thread. */
    public abstract LongConsumer counter(int thread);

    /** Whether the run should end. */
    public abstract boolean isOver();

    /** The part of the run that has passed. */
    abstract double fraction();

    /** Whether measuring has begun. */
    abstract boolean hasStarted();

    public final boolean isBrokenOff() {
        return brokenOff.getCount() == 0;
    }

    public final void breakOff() {
        brokenOff.countDown();
    }

    /** Calls the watch until the run is over. */
    public final void follow(Watch watch) throws Exception {
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
    public final void pause(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !isOver(); left = end - System.nanoTime()) {
            boolean cutShort = brokenOff.await(Math.min(left, untilChange()), TimeUnit.NANOSECONDS);
            assert !cutShort || isBrokenOff();
        }
    }

    /** The nanoseconds after which something may change. */
    abstract long untilChange();

    private static final class Timed extends Interval {
        private final long begin;
        private final long measureFrom;
        private final long measureTo;
        private final long leastOperations;
        private final LongAdder operations = new LongAdder();

        Timed(long now, long warmupNanos, long nanos, long leastOperations) {
            this.leastOperations = leastOperations;
            begin = now;
            measureFrom = now + warmupNanos;
            measureTo = measureFrom + nanos;
        }

        @Override
        public boolean counts() {
            return hasStarted() && !isMeasured();
        }

        @Override
        public long mark() {
            return 0;
        }

        @Override
        public boolean countsLatency(long mark) {
            return counts();
        }

        @Override
        public LongConsumer counter(int thread) {
            return leastOperations == 0
                    ? ended -> {}
                    : ended -> {
                        if (counts()) {
                            operations.add(ended);
                        }
                    };
        }

        @Override
        public boolean isOver() {
            return isMeasured() || isBrokenOff();
        }

        private boolean isMeasured() {
            return System.nanoTime() - measureTo >= 0 && operations.sum() >= leastOperations;
        }

        @Override
        double fraction() {
            double passed = 1 - (measureTo - System.nanoTime()) / (double) (measureTo - begin);
            return leastOperations == 0 ? passed : Math.min(passed, operations.sum() / (double) leastOperations);
        }

        @Override
        boolean hasStarted() {
            return System.nanoTime() - measureFrom >= 0;
        }

        @Override
        long untilChange() {
            long now = System.nanoTime();
            long change = now - measureFrom < 0 ? measureFrom : measureTo;
            return change - now > 0 ? change - now : TICK_NANOS;
        }
    }

    private static final class Sliced extends Interval {
        private final SliceClock clock;

        Sliced(SliceClock clock) {
            this.clock = clock;
            clock.ready();
        }

        @Override
        public boolean counts() {
            return clock.slice() > 0;
        }

        @Override
        public long mark() {
            return clock.slice();
        }

        @Override
        public boolean countsLatency(long mark) {
            return clock.counts(mark);
        }

        @Override
        public LongConsumer counter(int thread) {
            return clock.counter(thread)::add;
        }

        @Override
        public boolean isOver() {
            return clock.isOver() || isBrokenOff();
        }

        /** The parent shows how far the duel is. */
        @Override
        double fraction() {
            return 0;
        }

        @Override
        boolean hasStarted() {
            return clock.slice() > 0;
        }

        @Override
        long untilChange() {
            return TICK_NANOS;
        }
    }
}
