// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The protocol of a file's monitor in its smallest form: a lock that spins, and one waiter. */
class TinyMonitorSignal implements Signal {
    private final AtomicBoolean held = new AtomicBoolean();
    private final long waitNanos;
    /** Guarded by the lock. */
    private boolean changed;
    /** Guarded by the lock; volatile for the twin, which writes it without. */
    private volatile Thread waiting;

    private volatile boolean woken;

    TinyMonitorSignal(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    public final long waitNanos() {
        return waitNanos;
    }

    @Override
    public final boolean await() {
        long deadline = System.nanoTime() + waitNanos;
        lock();
        boolean inTime = true;
        while (!changed && inTime) {
            addAndUnlock(Thread.currentThread());
            while (!woken && inTime) {
                long remaining = deadline - System.nanoTime();
                inTime = remaining > 0;
                if (inTime) {
                    LockSupport.parkNanos(this, remaining);
                }
            }
            lock();
        }
        boolean seen = changed;
        unlock();
        return seen;
    }

    /** Adds the waiter, and then releases the lock. */
    void addAndUnlock(Thread waiter) {
        add(waiter);
        unlock();
    }

    final void add(Thread waiter) {
        woken = false;
        waiting = waiter;
    }

    private void lock() {
        while (!held.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
    }

    final void unlock() {
        held.set(false);
    }

    @Override
    public final void change() {
        lock();
        changed = true;
        Thread waiter = waiting;
        if (waiter != null) {
            waiting = null;
            woken = true;
            LockSupport.unpark(waiter);
        }
        unlock();
    }
}
