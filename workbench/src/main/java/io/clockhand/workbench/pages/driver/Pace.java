// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Keeps a thread to a number of references a second on average. A thread that is late makes up for it, but for a second
 * at most: what it has missed before is not played. Not thread-safe.
 */
public final class Pace {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

    private final double nanos;
    private final double offset;
    private final BooleanSupplier stopped;
    private boolean begun;
    private long start;
    private double due;

    /**
     * Makes a pace, which begins with the first reference.
     *
     * @param rate references a second
     * @param offset where in the first interval that is, from 0 to 1, so that threads do not keep step
     * @param stopped ends a wait
     */
    public Pace(double rate, double offset, BooleanSupplier stopped) {
        this.nanos = SECOND / rate;
        this.offset = offset;
        this.stopped = stopped;
    }

    /** Waits until the next reference is due. An interrupt does not shorten the wait, and is kept. */
    public void await() {
        if (!begun) {
            begun = true;
            start = System.nanoTime();
            due = offset * nanos;
        }
        boolean interrupted = false;
        double elapsed = System.nanoTime() - start;
        while (elapsed < due && !stopped.getAsBoolean()) {
            LockSupport.parkNanos(this, Math.min(LONGEST_WAIT, (long) Math.ceil(due - elapsed)));
            interrupted |= Thread.interrupted();
            elapsed = System.nanoTime() - start;
        }
        due = Math.max(due, elapsed - SECOND) + nanos;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
