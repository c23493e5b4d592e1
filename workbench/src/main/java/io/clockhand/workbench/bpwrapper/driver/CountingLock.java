// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that counts, for a policy. What is counted:
 *
 * <ul>
 *   <li><i>acquisitions</i>: how often a thread got it, by waiting or by trying;
 *   <li><i>contentions</i>: how many requests could not be satisfied at once, as the BP-Wrapper paper has it. A request is a {@link #lock};
 *       a try that failed is part of it if it is what the thread did last, so that who tries first and then waits does not pass for
 *       one who had not to wait;
 *   <li><i>failed tries</i>, whatever the thread did next.
 * </ul>
 *
 * <p>The first two are written by who has the lock, under the lock; the third is a sum of stripes. So the counts are exact whenever no
 * thread is at work. Thread-safe, and not reentrant.
 */
final class CountingLock implements Lock {
    /** Those who wait look at the lock until it is free, and never park. */
    static final int FOR_EVER = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final int looks;
    private final LongAdder failedTries = new LongAdder();
    /** Whether a thread's last try has failed, and it has asked for nothing since. */
    private final ThreadLocal<boolean[]> failed = ThreadLocal.withInitial(() -> new boolean[1]);

    private long acquisitions;
    private long contentions;

    /** What was counted since the lock was made. */
    record Counts(long acquisitions, long contentions, long failedTries) {
        Counts since(Counts before) {
            return new Counts(
                    acquisitions - before.acquisitions,
                    contentions - before.contentions,
                    failedTries - before.failedTries);
        }
    }

    /**
     * Makes a lock.
     *
     * @param looks how often those who wait look at it before they park, as those of the lock that it stands for do; {@link #FOR_EVER} to spin
     */
    CountingLock(int looks) {
        this.looks = looks;
    }

    @Override
    public void lock() {
        boolean[] mine = failed.get();
        boolean contended = mine[0];
        mine[0] = false;
        if (!lock.tryLock()) {
            contended = true;
            waitForIt();
        }
        acquisitions++;
        contentions += contended ? 1 : 0;
    }

    private void waitForIt() {
        for (int i = 0; looks == FOR_EVER || i < looks; i++) {
            if (!lock.isLocked() && lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    @Override
    public boolean tryLock() {
        boolean free = lock.tryLock();
        failed.get()[0] = !free;
        if (free) {
            acquisitions++;
        } else {
            failedTries.increment();
        }
        return free;
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    Counts counts() {
        lock.lock();
        try {
            return new Counts(acquisitions, contentions, failedTries.sum());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void lockInterruptibly() {
        throw new UnsupportedOperationException("a policy's lock is not interrupted");
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        throw new UnsupportedOperationException("a policy's lock is not waited for with a limit");
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("nobody waits for a condition under a policy's lock");
    }
}
