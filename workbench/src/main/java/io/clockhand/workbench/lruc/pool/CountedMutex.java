// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that counts how often and how long threads wait for it. Reentrant. It is held for work in memory only, never
 * for I/O, which bounds each wait.
 */
final class CountedMutex {
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();

    void lock() {
        if (!lock.tryLock()) {
            long begin = System.nanoTime();
            lock.lock();
            waits.increment();
            waitNanos.add(System.nanoTime() - begin);
        }
    }

    void unlock() {
        lock.unlock();
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    long waits() {
        return waits.sum();
    }

    long waitNanos() {
        return waitNanos.sum();
    }
}
