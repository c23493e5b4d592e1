// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Waits for moments, and is right in the mean. Thread-safe.
 *
 * <p>A thread that parks runs again some 0.1 ms late, and later on a busy machine. Spinning for the last bit would take
 * processor time from the threads that are measured. So each thread parks for less than its wait, by the mean lateness
 * of the waits before: some are released early, others late. The mean is exponential, over some 32 waits, and none
 * counts for more than 5 ms, so a pause of the whole JVM is not made up for.
 */
final class EarlyRelease {
    private static final long MOST = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int WAITS = 32;

    private final LongSupplier clock;
    private final LongConsumer park;
    /** Threads that store it concurrently lose one wait of the mean, which does not matter. */
    private final AtomicLong lateness = new AtomicLong();

    EarlyRelease() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /** With a clock and a way to wait for some nanoseconds, for tests. */
    EarlyRelease(LongSupplier clock, LongConsumer park) {
        this.clock = clock;
        this.park = park;
    }

    /**
     * Waits for about this moment of the clock, {@link System#nanoTime}. An interrupt does not shorten the wait, and
     * is kept.
     */
    void awaitMoment(long moment) {
        long mean = lateness.get();
        long left = moment - mean - clock.getAsLong();
        if (left <= 0) {
            return;
        }
        boolean interrupted = false;
        while (left > 0) {
            park.accept(left);
            interrupted |= Thread.interrupted();
            left = moment - mean - clock.getAsLong();
        }
        lateness.lazySet(mean + (Math.min(-left, MOST) - mean) / WAITS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
