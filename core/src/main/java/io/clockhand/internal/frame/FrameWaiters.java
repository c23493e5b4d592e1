// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/**
 * Parks threads until the state, or the latch, of a frame changes.
 *
 * <p>A waiter (1) queues itself, (2) sets the frame's <i>waited</i> bit by CAS on a state for which its condition does
 * not hold, (3) parks. Every transition that a waiter can wait for clears the bit in its own CAS, or (an unpin) in one
 * that follows, and a thread whose CAS cleared it calls {@link #wake}. No wake-up is lost: the CAS that clears the bit
 * comes after step 2 in the order of the word, so after step 1, and the waker finds the waiter in the queue. A frame
 * no thread waits for costs its users nothing.
 *
 * <p>Waits are bounded and uninterruptible ({@link Parking}). Queues are shared by the frames of a
 * stripe and hold waiting threads only. Thread-safe; works with virtual threads.
 */
public final class FrameWaiters {
    private static final int STRIPES = 32;
    private static final int SPINS = 32;

    private final WaitedWord word;
    private final Queue<Waiter>[] stripes;

    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        final int frame;
        volatile boolean woken;
        /** Used by the waking thread: the waiter that it took out of the queue before this one. */
        Waiter taken;

        Waiter(int frame) {
            this.frame = frame;
        }
    }

    /** The word whose changes threads wait for: the state of a frame, or its latch. */
    interface WaitedWord {
        /** {@return the word of a frame, read with acquire order} */
        long read(int frame);

        /** Sets the <i>waited</i> bit by CAS; {@return whether the word was still as it was seen} */
        boolean trySetWaited(int frame, long seen);

        /** {@return whether the <i>waited</i> bit is set} */
        boolean isWaited(long seen);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    FrameWaiters(WaitedWord word) {
        this.word = word;
        this.stripes = new Queue[STRIPES];
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new ConcurrentLinkedQueue<>();
        }
    }

    /**
     * Waits until the condition holds for the frame's state, for a bounded time.
     *
     * @param frame the frame
     * @param condition ends the wait
     * @param nanos the longest time to wait
     * @return whether the condition was seen to hold
     */
    public boolean await(int frame, LongPredicate condition, long nanos) {
        for (int i = 0; i < SPINS; i++) {
            if (condition.test(word.read(frame))) {
                return true;
            }
            Thread.onSpinWait();
        }
        return park(frame, condition, System.nanoTime() + nanos);
    }

    private boolean park(int frame, LongPredicate condition, long deadline) {
        Queue<Waiter> queue = stripe(frame);
        Waiter waiter = new Waiter(frame);
        try {
            for (; ; ) {
                waiter.woken = false;
                queue.add(waiter);
                if (!announce(frame, condition)) {
                    return true;
                }
                if (!Parking.parkUntil(() -> waiter.woken, deadline)) {
                    return condition.test(word.read(frame));
                }
            }
        } finally {
            if (!waiter.woken) { // a waker takes the waiter out of the queue
                queue.remove(waiter);
            }
        }
    }

    /** {@return whether the mark is set and the condition did not hold when it was} */
    private boolean announce(int frame, LongPredicate condition) {
        for (; ; ) {
            long s = word.read(frame);
            if (condition.test(s)) {
                return false;
            }
            // A CAS even if the mark is there already: only that proves that the state is the current one, and so that
            // the thread that clears the mark has yet to search the queue.
            if (word.trySetWaited(frame, s)) {
                return true;
            }
        }
    }

    /**
     * Wakes the waiters of a frame if its state before a transition had the mark.
     *
     * @param frame the frame
     * @param before its state before the transition that the caller made
     */
    public void wake(int frame, long before) {
        if (word.isWaited(before)) {
            wakeAll(frame);
        }
    }

    private void wakeAll(int frame) {
        Queue<Waiter> queue = stripe(frame);
        Waiter last = null;
        // All are taken out before the first is woken: one that is woken may queue itself again at once, and would be
        // met again.
        for (Iterator<Waiter> waiting = queue.iterator(); waiting.hasNext(); ) {
            Waiter waiter = waiting.next();
            if (waiter.frame == frame && queue.remove(waiter)) {
                waiter.taken = last;
                last = waiter;
            }
        }
        while (last != null) {
            Waiter waiter = last;
            last = waiter.taken; // before it is woken, and may be taken by another thread
            waiter.taken = null;
            waiter.woken = true;
            LockSupport.unpark(waiter.thread);
        }
    }

    private Queue<Waiter> stripe(int frame) {
        return stripes[frame & (STRIPES - 1)];
    }
}
