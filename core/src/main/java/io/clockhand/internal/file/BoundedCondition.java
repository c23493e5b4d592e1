// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/** The condition of a file's lock. Waits are bounded and uninterruptible; an interrupt is kept. */
final class BoundedCondition {
    private final Condition condition;
    private final long waitNanos;
    /** The name of the pool, for events. */
    private final String pool;

    private final String file;

    BoundedCondition(Condition condition, long waitNanos, String pool, String file) {
        this.condition = condition;
        this.waitNanos = waitNanos;
        this.pool = pool;
        this.file = file;
    }

    void signalAll() {
        condition.signalAll();
    }

    /** Waits under the lock, which is released meanwhile. */
    void await(BooleanSupplier holds, String what) {
        if (holds.getAsBoolean()) {
            return;
        }
        WaitEvent event = FlightEvents.waiting();
        boolean timedOut = true;
        try {
            awaitChange(holds, what);
            timedOut = false;
        } finally {
            if (event != null && event.isWanted()) {
                event.record(pool, what, file, timedOut);
            }
        }
    }

    private void awaitChange(BooleanSupplier holds, String what) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + waitNanos;
        try {
            while (!holds.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new WaitTimeoutException(
                            "waited " + TimeUnit.NANOSECONDS.toMillis(waitNanos) + " ms for " + what + " of " + file);
                }
                try {
                    condition.awaitNanos(left);
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
}
