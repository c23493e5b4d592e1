// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock whose waiters look at it until it is free, then try to take it, and look away for longer and longer when they fail
 * (test-and-test-and-set with exponential backoff), as the baselines of the Nb-GCLOCK paper have it. Nobody parks: where threads
 * outnumber processors, those who wait may keep the holder from going on. For comparisons.
 *
 * <p>{@code held} is set by CAS, and cleared with release order by the holder: so who gets the lock sees what was done under it.
 * Not reentrant; not fair. Thread-safe.
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
        throw new UnsupportedOperationException("a spin lock does not look at the clock");
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("nobody parks at a spin lock");
    }
}
