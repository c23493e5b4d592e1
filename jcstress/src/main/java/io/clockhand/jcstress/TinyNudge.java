// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The protocol in its smallest form: a thread that clears the nudge, looks for work, and parks. */
class TinyNudge implements Signal {
    private final long waitNanos;
    private volatile Thread thread;
    volatile boolean left;
    volatile boolean nudged;

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
        long deadline = System.nanoTime() + waitNanos;
        for (long nanos = waitNanos; !nudged && nanos > 0; nanos = deadline - System.nanoTime()) {
            LockSupport.parkNanos(this, nanos);
        }
        return false;
    }

    /** Clears the nudge, then looks for work. */
    boolean look() {
        nudged = false;
        return left;
    }

    @Override
    public final void change() {
        left = true;
        if (!nudged) {
            nudged = true;
            LockSupport.unpark(thread);
        }
    }
}
