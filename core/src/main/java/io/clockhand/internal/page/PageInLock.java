// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of {@link SerializedPageIn}, held while a page is read. So each wait for it is bounded, as for any other
 * thread that reads a page: {@link #lock} throws what the handler of long waits throws. It is uninterruptible, and the
 * flag of an interrupt is set again.
 *
 * <p>A thread that waits for it has changed nothing yet; but one that reports a hit to a policy has its pin, or its
 * share in a latch. So a miss that waits for a frame may wait for such hits, which wait for the miss: it fails after
 * {@code exhaustedAfter}, if they have all frames. A policy that is called in the middle of a page-in finds the lock
 * held by its own thread.
 */
final class PageInLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    private final transient PoolOptions options;

    PageInLock(PoolOptions options) {
        this.options = options;
    }

    @Override
    public void lock() {
        if (!tryLock()) {
            BoundedWait.begin(options, "the lock of page-ins", () -> null)
                    .until(this::tryLockFor, () -> "the lock of page-ins, whose owner reads a page");
        }
    }

    private boolean tryLockFor(long nanos) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + nanos;
        try {
            for (; ; ) {
                try {
                    return tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
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
