// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A test-and-test-and-set lock with exponential backoff, as in the baselines of the Nb-GCLOCK paper. Waiters never
 * park: if threads outnumber processors, they may keep the holder from running. For comparisons.
 *
 * <p>{@code held} is set by CAS and cleared by the holder with release order, so the next holder sees all that was done
 * under the lock. Not reentrant; unfair. Thread-safe.
 */
final class SpinLock implements Lock {
    private static final int LEAST_BACKOFF = 4;
    private static final int GREATEST_BACKOFF = 1024;

    private final AtomicBoolean held = new AtomicBoolean();

    @Override
    public void lock() {
        for (int backoff = LEAST_BACKOFF; !tryLock(); backoff = Math.min(GREATEST_BACKOFF, 2 * backoff)) {
            for (int i = 0; i < backoff; i++) {
                Thread.onSpinWait();
            }
            while (held.getOpaque()) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public boolean tryLock() {
        return !held.getOpaque() && held.compareAndSet(false, true);
    }

    @Override
    public void unlock() {
        held.setRelease(false);
    }

    @Override
    public void lockInterruptibly() {
        throw new UnsupportedOperationException("a spin lock cannot be interrupted");
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        throw new UnsupportedOperationException("a spin lock has no time-out");
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("threads do not park at a spin lock");
    }
}
