// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When a run warms up, when it measures, and when it stops, in {@link System#nanoTime}. Thread-safe. */
final class Interval {
    private final long measureFrom;
    private final long measureTo;
    private final CountDownLatch brokenOff = new CountDownLatch(1);

    Interval(long now, long warmupNanos, long nanos) {
        measureFrom = now + warmupNanos;
        measureTo = measureFrom + nanos;
    }

    /** Whether something that ended at this time counts. */
    boolean counts(long time) {
        return time - measureFrom >= 0 && time - measureTo < 0;
    }

    boolean isOver(long now) {
        return now - measureTo >= 0 || isBrokenOff();
    }

    boolean isBrokenOff() {
        return brokenOff.getCount() == 0;
    }

    void breakOff() {
        brokenOff.countDown();
    }

    long nanosToStart(long now) {
        return measureFrom - now;
    }

    long nanosToEnd(long now) {
        return measureTo - now;
    }

    /** Waits so long, but not beyond the end of the run. */
    void pause(long nanos) throws InterruptedException {
        long left = Math.min(nanos, nanosToEnd(System.nanoTime()));
        boolean cutShort = left > 0 && brokenOff.await(left, TimeUnit.NANOSECONDS);
        assert !cutShort || isBrokenOff();
    }
}
