// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The condition of a file's lock. Waits are bounded by the pool's {@link BoundedWait}, and uninterruptible; the flag of
 * an interrupt is set again.
 */
final class BoundedCondition {
    private final ReentrantLock lock;
    private final Condition condition;
    private final PoolOptions options;
    private final String file;

    BoundedCondition(ReentrantLock lock, PoolOptions options, String file) {
        this.lock = lock;
        this.condition = lock.newCondition();
        this.options = options;
        this.file = file;
    }

    void signalAll() {
        condition.signalAll();
    }

    /**
     * Waits until {@code holds}. The caller holds the lock once; it is released during the wait, and while the handler
     * of long waits runs.
     */
    void await(BooleanSupplier holds, String what) {
        if (!holds.getAsBoolean()) {
            BoundedWait.begin(options, what, () -> file)
                    .until(nanos -> awaitChange(holds, nanos), () -> what + " of " + file, lock);
        }
    }

    private boolean awaitChange(BooleanSupplier holds, long nanos) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + nanos;
        try {
            while (!holds.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    condition.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
