// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.concurrent.TimeUnit;

/** Waits with a limit. An interrupt does not shorten them, and is kept. */
final class BoundedWaits {
    /** A thread that has waited for so long throws. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private BoundedWaits() {}

    /** An action that may succeed within a time. */
    @FunctionalInterface
    interface Attempt {
        /** {@return a result, or 0 if there was none in time} */
        long within(long nanos) throws InterruptedException;
    }

    /** {@return the result of an attempt, or 0 if there was none within this time} */
    static long get(Attempt attempt, long nanos) {
        long begin = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return attempt.within(nanos - (System.nanoTime() - begin));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The same with the {@linkplain #LONGEST_NANOS longest} time. */
    static long get(Attempt attempt) {
        return get(attempt, LONGEST_NANOS);
    }
}
