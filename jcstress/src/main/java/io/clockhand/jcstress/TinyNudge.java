// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The protocol in its smallest form: a thread that counts the nudges, looks for work, marks itself as parked, and parks
 * if no nudge has come since.
 */
class TinyNudge implements Signal {
    private final long waitNanos;
    private volatile Thread thread;
    volatile boolean left;
    final AtomicInteger nudges = new AtomicInteger();
    /** The nudges before the last search for work; used by the thread that waits. */
    int seen;

    final AtomicInteger running = new AtomicInteger(1);
    /** 1 while the thread is parked, or about to park. */
    final AtomicInteger parked = new AtomicInteger();

    TinyNudge(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    public final long waitNanos() {
        return waitNanos;
    }

    @Override
    public final boolean await() {
        thread = Thread.currentThread();
        boolean found = false;
        for (int look = 0; look < 2 && !found; look++) {
            found = work();
        }
        return found;
    }

    private boolean work() {
        if (look()) {
            return true;
        }
        if (!mark()) {
            long deadline = System.nanoTime() + waitNanos;
            for (long nanos = waitNanos; parked.get() == 1 && nanos > 0; nanos = deadline - System.nanoTime()) {
                LockSupport.parkNanos(this, nanos);
            }
        }
        if (parked.compareAndSet(1, 0)) {
            running.getAndIncrement();
        }
        return false;
    }

    /** Counts the nudges, then looks for work. */
    boolean look() {
        seen = nudges.get();
        return left;
    }

    /** Marks the thread as parked; {@return whether a nudge has come} */
    boolean mark() {
        running.getAndDecrement();
        parked.set(1);
        return nudges.get() != seen;
    }

    @Override
    public final void change() {
        left = true;
        nudges.getAndIncrement();
        if (running.get() < 1 && parked.compareAndSet(1, 0)) {
            running.getAndIncrement();
            LockSupport.unpark(thread);
        }
    }
}
