// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The protocol of core's line for buffers in its smallest form: one buffer, and one thread in the line. */
class TinyBufferReturn implements Signal {
    volatile Thread wanting;
    volatile boolean turn;

    private final AtomicBoolean free = new AtomicBoolean();
    private final long waitNanos;

    TinyBufferReturn(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    public final long waitNanos() {
        return waitNanos;
    }

    @Override
    public final boolean await() {
        long deadline = System.nanoTime() + waitNanos;
        boolean taken = enter();
        while (!taken) {
            while (!turn) {
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    return tryTake();
                }
                LockSupport.parkNanos(this, remaining);
            }
            taken = useTurn();
        }
        return true;
    }

    /** Says that a buffer is wanted, then tries; {@return whether the thread has the buffer} */
    boolean enter() {
        wanting = Thread.currentThread();
        return tryTake();
    }

    /** Clears the turn, then tries; {@return whether the thread has the buffer} */
    boolean useTurn() {
        turn = false;
        return tryTake();
    }

    final boolean tryTake() {
        return free.compareAndSet(true, false);
    }

    /** Makes the buffer free, then learns whether it is wanted. */
    @Override
    public final void change() {
        free.set(true);
        Thread waiter = wanting;
        if (waiter != null) {
            turn = true;
            LockSupport.unpark(waiter);
        }
    }
}
