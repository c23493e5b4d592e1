// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits that an interrupt does not shorten; the thread stays interrupted. */
final class Pause {
    private static final long SLICE_NANOS = 5_000_000;

    private Pause() {}

    /** Waits for a time of {@link System#nanoTime}, or until the boot is over. */
    static void until(long nanoTime, BooleanSupplier isOver) {
        boolean interrupted = false;
        long left = nanoTime - System.nanoTime();
        while (left > 0 && !isOver.getAsBoolean()) {
            LockSupport.parkNanos(Math.min(left, SLICE_NANOS));
            interrupted |= Thread.interrupted();
            left = nanoTime - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
