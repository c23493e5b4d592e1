// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import java.util.function.BooleanSupplier;

/**
 * The condition of a file's lock. Waits are bounded by the pool's {@link BoundedWait}, and uninterruptible; the flag of
 * an interrupt is set again.
 */
final class BoundedCondition {
    private final ShortLock lock;
    private final PoolOptions options;
    private final String file;

    BoundedCondition(ShortLock lock, PoolOptions options, String file) {
        this.lock = lock;
        this.options = options;
        this.file = file;
    }

    void signalAll() {
        lock.signalAll();
    }

    /**
     * Waits until {@code holds}. The caller holds the lock; it is released during the wait, and while the handler of
     * long waits runs.
     */
    void await(BooleanSupplier holds, String what) {
        if (!holds.getAsBoolean()) {
            BoundedWait.begin(options, what, () -> file)
                    .until(nanos -> lock.await(holds, nanos), () -> what + " of " + file, lock);
        }
    }
}
