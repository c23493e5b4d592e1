// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When a run warms up, when it measures, and when it stops, in {@link System#nanoTime}. Thread-safe. */
public final class Interval {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final long begin;
    private final long measureFrom;
    private final long measureTo;
    private final CountDownLatch brokenOff = new CountDownLatch(1);

    public Interval(long now, long warmupNanos, long nanos) {
        begin = now;
        measureFrom = now + warmupNanos;
        measureTo = measureFrom + nanos;
    }

    /** Whether something that ended at this time counts. */
    public boolean counts(long time) {
        return time - measureFrom >= 0 && time - measureTo < 0;
    }

    public boolean isOver(long now) {
        return now - measureTo >= 0 || isBrokenOff();
    }

    public boolean isBrokenOff() {
        return brokenOff.getCount() == 0;
    }

    public void breakOff() {
        brokenOff.countDown();
    }

    public long nanosToStart(long now) {
        return measureFrom - now;
    }

    public long nanosToEnd(long now) {
        return measureTo - now;
    }

    /** Ticks until the warm-up is over, says so, and ticks on to the end. */
    public void follow(Watch watch) throws Exception {
        double whole = nanosToEnd(begin);
        boolean started = false;
        while (!isBrokenOff()) {
            long now = System.nanoTime();
            long toEnd = nanosToEnd(now);
            if (!started && nanosToStart(now) <= 0) {
                watch.onStart();
                started = true;
            }
            if (toEnd <= 0) {
                watch.onEnd();
                return;
            }
            watch.onTick(1 - toEnd / whole);
            pause(started ? TICK_NANOS : Math.min(TICK_NANOS, nanosToStart(now)));
        }
    }

    /** Waits so long, but not beyond the end of the run. */
    public void pause(long nanos) throws InterruptedException {
        long left = Math.min(nanos, nanosToEnd(System.nanoTime()));
        boolean cutShort = left > 0 && brokenOff.await(left, TimeUnit.NANOSECONDS);
        assert !cutShort || isBrokenOff();
    }
}
