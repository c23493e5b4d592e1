// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that counts, for a policy. It counts:
 *
 * <ul>
 *   <li><i>acquisitions</i>: how often a thread got it, by waiting or by trying;
 *   <li><i>contentions</i>: how many requests had to wait, as the BP-Wrapper paper has it;
 *   <li><i>failed tries</i>, whatever the thread did next.
 * </ul>
 *
 * <p>The holder of the lock writes the first two with opaque order, and any thread may read them; the third is a sum of
 * stripes. So the counts are exact whenever no thread is at work, and otherwise as good as. Thread-safe, and not
 * reentrant.
 */
final class CountingLock implements Lock {
    /** Waiting threads spin until the lock is free, and never park. */
    static final int FOR_EVER = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final int spins;
    private final AtomicLong acquisitions = new AtomicLong();
    private final AtomicLong contentions = new AtomicLong();
    private final LongAdder failedTries = new LongAdder();

    /** The counts since the lock was made. */
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
     * @param spins how often waiting threads check it before they park, as with the lock that it stands for; {@link
     *     #FOR_EVER} to spin
     */
    CountingLock(int spins) {
        this.spins = spins;
    }

    @Override
    public void lock() {
        boolean contended = !lock.tryLock();
        if (contended) {
            waitForIt();
            addOne(contentions);
        }
        addOne(acquisitions);
    }

    /** For the holder of the lock. */
    private static void addOne(AtomicLong count) {
        count.setOpaque(count.getPlain() + 1);
    }

    private void waitForIt() {
        for (int i = 0; spins == FOR_EVER || i < spins; i++) {
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
        if (free) {
            addOne(acquisitions);
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
        return new Counts(acquisitions.getOpaque(), contentions.getOpaque(), failedTries.sum());
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
        throw new UnsupportedOperationException("no thread waits for a condition under a policy's lock");
    }
}
