// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** Counts how often and how long threads wait for it. It is held for work in memory only. */
final class CountedMutex extends ReentrantLock {
    private static final long serialVersionUID = 1;

    final LongAdder waits = new LongAdder();
    final LongAdder waitNanos = new LongAdder();

    @Override
    public void lock() {
        if (!tryLock()) {
            long begin = System.nanoTime();
            super.lock();
            waits.increment();
            waitNanos.add(System.nanoTime() - begin);
        }
    }
}
