// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The protocol of core's waiters in its smallest form: one word with the state and the mark, and one queue. */
class TinySignal implements Signal {
    static final int WAITED = 1;
    static final int CHANGED = 2;

    private static final int SPINS = 32;

    final AtomicInteger word = new AtomicInteger();
    final Queue<Thread> queue = new ConcurrentLinkedQueue<>();

    private final long waitNanos;

    TinySignal(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    public final long waitNanos() {
        return waitNanos;
    }

    @Override
    public final boolean await() {
        for (int i = 0; i < SPINS; i++) {
            if (isChanged(word.get())) {
                return true;
            }
            Thread.onSpinWait();
        }
        Thread waiter = Thread.currentThread();
        long deadline = System.nanoTime() + waitNanos;
        if (prepare(waiter)) {
            while (queue.contains(waiter)) {
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    break;
                }
                LockSupport.parkNanos(this, remaining);
            }
        }
        return isChanged(word.get());
    }

    /** Queues the waiter, and then sets the mark; false if there is nothing to wait for. */
    boolean prepare(Thread waiter) {
        queue.add(waiter);
        return mark();
    }

    /** Sets the mark on a state that has not changed; false if it has. */
    boolean mark() {
        for (; ; ) {
            int state = word.get();
            if (isChanged(state)) {
                return false;
            }
            if (word.compareAndSet(state, state | WAITED)) {
                return true;
            }
        }
    }

    /** Changes the word and learns from the same step whether anybody waits. */
    @Override
    public void change() {
        if ((word.getAndSet(CHANGED) & WAITED) != 0) {
            wakeAll();
        }
    }

    final void wakeAll() {
        for (Thread waiter = queue.poll(); waiter != null; waiter = queue.poll()) {
            LockSupport.unpark(waiter);
        }
    }

    static boolean isChanged(int state) {
        return (state & CHANGED) != 0;
    }
}
