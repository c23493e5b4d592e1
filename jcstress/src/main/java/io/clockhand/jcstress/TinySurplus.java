// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/** The protocol in its smallest form: a thread that is too many marks itself as parked, then compares again. */
class TinySurplus extends FlusherSurplus {
    private final long waitNanos;
    private final AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(2);
    private final AtomicIntegerArray parked = new AtomicIntegerArray(2);
    final AtomicInteger running = new AtomicInteger();
    volatile int wanted = 1;

    TinySurplus(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    final void enter(int slot) {
        threads.set(slot, Thread.currentThread());
        running.getAndIncrement();
    }

    @Override
    final void work(int slot) {
        if (running.get() > wanted) {
            running.getAndDecrement();
            parked.set(slot, 1);
            if (!mustGoOn()) {
                park(slot);
            }
            if (parked.compareAndSet(slot, 1, 0)) {
                running.getAndIncrement();
            }
        }
        wanted = 2;
        wakeOne();
    }

    /** Compares again; {@return whether too few threads run now} */
    boolean mustGoOn() {
        return running.get() < wanted;
    }

    private void park(int slot) {
        long deadline = System.nanoTime() + waitNanos;
        for (long nanos = waitNanos; parked.get(slot) == 1 && nanos > 0; nanos = deadline - System.nanoTime()) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    private void wakeOne() {
        for (int slot = 0; slot < 2 && running.get() < wanted; slot++) {
            if (parked.compareAndSet(slot, 1, 0)) {
                running.getAndIncrement();
                LockSupport.unpark(threads.get(slot));
            }
        }
    }

    @Override
    final long waitNanos() {
        return waitNanos;
    }
}
