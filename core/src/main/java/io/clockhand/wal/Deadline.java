// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The bound of one wait. A process that is suspended goes on when the time of each wait is over, and the threads that
 * it waits for were suspended as well. So once in a wait, time that leaps past the deadline leaves a second more, as in
 * the waits of a pool. Not thread-safe.
 */
final class Deadline {
    /** A wait that overruns its deadline by more than this was suspended, with the whole process perhaps. */
    private static final long LEAP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;
    private long end;
    private boolean leapt;

    /**
     * Begins a wait.
     *
     * @param nanos the longest that it lasts
     * @param clock as {@link System#nanoTime}
     */
    Deadline(long nanos, LongSupplier clock) {
        this.clock = clock;
        this.end = clock.getAsLong() + nanos;
    }

    /** {@return the time left, in nanoseconds; not greater than 0 if the wait is over} */
    long left() {
        long now = clock.getAsLong();
        if (now - end > LEAP_NANOS && !leapt) {
            leapt = true;
            end = now + RETRY_NANOS;
        }
        return end - now;
    }
}
