// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The protocol of core's line of threads in its smallest form: one frame, one thread in the line, no ring. */
class TinyHandOver implements Signal {
    final AtomicInteger pins = new AtomicInteger(1);
    volatile Thread wanting;

    private volatile boolean offered;
    private final long waitNanos;

    TinyHandOver(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    public final long waitNanos() {
        return waitNanos;
    }

    @Override
    public final boolean await() {
        long deadline = System.nanoTime() + waitNanos;
        wanting = Thread.currentThread(); // volatile: the sweep comes after it
        while (!tryClaim()) {
            while (!offered) {
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    return tryClaim();
                }
                LockSupport.parkNanos(this, remaining);
            }
            offered = false;
        }
        return true;
    }

    private boolean tryClaim() {
        return pins.compareAndSet(0, -1);
    }

    /** Drops the last pin, and then learns whether a frame is wanted. */
    @Override
    public void change() {
        pins.getAndAdd(-1);
        offerTo(wanting);
    }

    final void offerTo(Thread waiter) {
        if (waiter != null) {
            offered = true;
            LockSupport.unpark(waiter);
        }
    }
}
