// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads of the flusher that run, of which one is wanted: core's, or the copy of their protocol. One that goes on
 * wakes the other. If both stop, both sleep on.
 */
abstract class FlusherSurplus {
    private final AtomicInteger entered = new AtomicInteger();

    /** Enters a slot, 0 or 1, with the calling thread. */
    abstract void enter(int slot);

    /** Does a step, and stops if more threads run than are wanted; then says that both are wanted. */
    abstract void work(int slot);

    /** {@return how long a thread sleeps that nobody wakes, in nanoseconds} */
    abstract long waitNanos();

    /** {@return whether the thread was not left asleep} */
    final String timed(int slot) {
        enter(slot);
        entered.getAndIncrement();
        while (entered.get() < 2) {
            Thread.onSpinWait();
        }
        long begin = System.nanoTime();
        work(slot);
        return System.nanoTime() - begin < waitNanos() / 2 ? "in time" : "too late";
    }
}
