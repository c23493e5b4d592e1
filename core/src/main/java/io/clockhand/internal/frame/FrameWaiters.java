// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import io.clockhand.internal.frame.WaiterTable.Line;
import java.util.function.LongPredicate;

/**
 * Parks threads until the state, or the latch, of a frame changes.
 *
 * <p>A waiter (1) sets the frame's <i>waited</i> bit by CAS on a state for which its condition does not hold, (2)
 * queues itself in the line of the frame, (3) parks. It does 1 and 2 under the lock of the line. Every transition that
 * a waiter can wait for clears the bit in its own CAS, or (an unpin) in one that follows, and a thread whose CAS
 * cleared it calls {@link #wake}, which acquires that lock. No wake-up is lost: the CAS that clears the bit comes after
 * step 1 in the order of the word, so the waking thread has the lock after step 2. A frame no thread waits for costs
 * its users nothing.
 *
 * <p><b>Only threads that can go on are woken.</b> The waking thread tests the condition of each waiter; those that
 * stay are marked again, by CAS on a state for which none of their conditions holds. If that CAS fails, the word is
 * marked first, and they are tested against the state that was marked: the thread that changes it later tests them
 * again, so a line is walked at most twice for one change.
 *
 * <p>A change may admit some waiters together and others one at a time: so there are {@link #KINDS} of waiters, each
 * with a line in order of arrival. All {@link #TOGETHER} are chosen whose condition holds, then the first of each other
 * kind; the condition must hold for the word as those chosen before will leave it. If some of {@link #TOGETHER} stay
 * only because of those chosen before, the word has its greatest number of threads. The last that was chosen has it
 * tested again when it has gone on, since others may have left meanwhile without a test. A thread that was chosen and
 * does not use its turn, because it fails, must have the word tested again ({@link #wake}), too.
 *
 * <p>The waking thread allocates nothing and cannot throw; conditions must not either. It unparks after it has released
 * the lock. A waiter allocates before the mark is set.
 *
 * <p>Waits are bounded and uninterruptible ({@link Parking}). Thread-safe; works with virtual threads: no thread parks
 * while it holds a lock.
 */
public final class FrameWaiters {
    /**
     * Waits for a latch that was promised to it, by a mark that keeps others out: one thread at most. Tested before the
     * others, some of which may be chosen although they cannot go on yet.
     */
    static final int PROMISED = 0;
    /** All of this kind are woken whose condition holds. */
    static final int TOGETHER = 1;
    /**
     * Waits to turn the upgradable mode of a latch into exclusive mode; one of each of this and the next kinds is
     * woken.
     */
    static final int UPGRADE = 2;
    /** Waits for the upgradable mode of a latch. */
    static final int UPGRADABLE = 3;
    /** Waits for the exclusive mode of a latch. */
    static final int WRITE = 4;

    static final int KINDS = 5;

    private static final int STRIPE_BITS = 5;
    private static final int STRIPES = 1 << STRIPE_BITS;
    private static final int SPINS = 32;

    /** How a wait ends. */
    enum Outcome {
        /** The waiter has seen its condition hold, and another may have been chosen for it. */
        SEEN,
        /** The waiter was chosen: its condition held, and no other one of its kind was chosen for that. */
        CHOSEN,
        /**
         * The waiter was chosen, and others could have gone on but for those that were chosen: the word must be tested
         * again, whether this one uses its turn or not.
         */
        CHOSEN_BEFORE_OTHERS,
        /** The condition does not hold. */
        TIME_IS_OVER
    }

    private final WaitedWord word;
    private final WaiterTable[] stripes = new WaiterTable[STRIPES];
    /** Set by {@link #endWaits} before it locks a stripe; read under that lock by each waiter that enters. */
    private volatile boolean ended;

    /** The word whose changes threads wait for: the state of a frame, or its latch. */
    interface WaitedWord {
        /** {@return the word of a frame, read with acquire order} */
        long read(int frame);

        /** Sets the <i>waited</i> bit by CAS; {@return whether the word was still as it was seen} */
        boolean trySetWaited(int frame, long seen);

        /** {@return whether the <i>waited</i> bit is set} */
        boolean isWaited(long seen);

        /** {@return the word as it will be when a waiter of a kind has gone on} */
        default long after(int kind, long seen) {
            return seen;
        }
    }

    FrameWaiters(WaitedWord word) {
        this.word = word;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new WaiterTable(STRIPE_BITS);
        }
    }

    /**
     * Waits until the condition holds for the frame's state, for a bounded time.
     *
     * @param frame the frame
     * @param condition ends the wait; neither throws nor allocates
     * @param nanos the longest time to wait
     * @return whether the condition was seen to hold, by this thread or by the one that has woken it
     */
    public boolean await(int frame, LongPredicate condition, long nanos) {
        return await(frame, condition, TOGETHER, false, nanos) != Outcome.TIME_IS_OVER;
    }

    /**
     * Waits as a waiter of a kind. One that was chosen {@code before}, in vain, comes first in its line. If this
     * throws, the caller must have the word tested again.
     */
    Outcome await(int frame, LongPredicate condition, int kind, boolean before, long nanos) {
        for (int i = 0; i < SPINS; i++) {
            if (condition.test(word.read(frame))) {
                return Outcome.SEEN;
            }
            Thread.onSpinWait();
        }
        long deadline = System.nanoTime() + nanos;
        Waiter waiter = new Waiter(condition);
        if (!enqueue(frame, waiter, kind, before)) {
            return Outcome.SEEN;
        }
        boolean chosen = true;
        try {
            Parking.parkUntil(waiter, deadline);
        } finally { // there may be no memory for the timer of a virtual thread
            chosen = waiter.isWoken() || !dequeue(frame, waiter, kind);
        }
        if (chosen) {
            return waiter.comesBeforeOthers() ? Outcome.CHOSEN_BEFORE_OTHERS : Outcome.CHOSEN;
        }
        return condition.test(word.read(frame)) ? Outcome.SEEN : Outcome.TIME_IS_OVER;
    }

    /** {@return whether the waiter is in the line, and its condition did not hold when the mark was set} */
    private boolean enqueue(int frame, Waiter waiter, int kind, boolean first) {
        WaiterTable stripe = stripe(frame);
        synchronized (stripe) {
            Line line = stripe.line(frame);
            // A CAS even if the mark is there already: only that proves that the state is the current one, and so that
            // the thread that clears the mark has yet to search the line.
            for (long s = word.read(frame); !waiter.condition.test(s); s = word.read(frame)) {
                if (word.trySetWaited(frame, s)) {
                    if (first) {
                        line.addFirst(kind, waiter);
                    } else {
                        line.addLast(kind, waiter);
                    }
                    if (ended) {
                        waiter.end();
                    }
                    return true;
                }
            }
            stripe.dropIfEmpty(line);
            return false;
        }
    }

    /** Takes a waiter out of its line; false if it has been chosen. */
    private boolean dequeue(int frame, Waiter waiter, int kind) {
        WaiterTable stripe = stripe(frame);
        synchronized (stripe) {
            if (waiter.isWoken()) {
                return false;
            }
            Line line = stripe.find(frame);
            line.remove(kind, waiter);
            stripe.dropIfEmpty(line);
            return true;
        }
    }

    /** Ends all waits, now and later, as if their time were over: the pool has failed. */
    public void endWaits() {
        ended = true;
        for (WaiterTable stripe : stripes) {
            synchronized (stripe) {
                stripe.endAll();
            }
        }
    }

    /**
     * Wakes the waiters of a frame that can go on, if its state before a transition had the mark.
     *
     * @param frame the frame
     * @param before its state before the transition that the caller made, by which the mark was cleared
     */
    public void wake(int frame, long before) {
        if (word.isWaited(before)) {
            choose(frame);
        }
    }

    /**
     * Wakes the waiters of a frame that can go on, whatever its state: to be called when a condition has become true by
     * another change than one of the state.
     *
     * @param frame the frame
     */
    public void wake(int frame) {
        choose(frame);
    }

    private void choose(int frame) {
        WaiterTable stripe = stripe(frame);
        Waiter chosen = null;
        synchronized (stripe) {
            Line line = stripe.find(frame);
            if (line != null) {
                chosen = choose(frame, line);
                for (Waiter waiter = chosen; waiter != null; waiter = waiter.next) {
                    waiter.setWoken();
                }
                stripe.dropIfEmpty(line);
            }
        }
        while (chosen != null) {
            Waiter waiter = chosen;
            chosen = waiter.next;
            waiter.next = null;
            Parking.unpark(waiter.thread);
        }
    }

    /** Takes out the waiters that can go on, in order; marks the word again if others stay. */
    private Waiter choose(int frame, Line line) {
        Waiter firstChosen = null;
        Waiter lastChosen = null;
        int used = 0; // the kinds of which one waiter has been chosen
        boolean marked = false;
        for (; ; ) {
            long s = word.read(frame);
            if (marked && !word.trySetWaited(frame, s)) {
                continue;
            }
            long then = s;
            for (int kind = 0; kind < KINDS; kind++) {
                Waiter waiter = (used & 1 << kind) == 0 && !line.isOthersTurn(kind) ? line.first(kind) : null;
                while (waiter != null) {
                    Waiter next = kind == TOGETHER ? waiter.next : null;
                    if (waiter.condition.test(then)) {
                        line.choose(kind, waiter);
                        if (lastChosen == null) {
                            firstChosen = waiter;
                        } else {
                            lastChosen.next = waiter;
                        }
                        lastChosen = waiter;
                        then = word.after(kind, then);
                        used |= kind == TOGETHER ? 0 : 1 << kind;
                    } else if (kind == TOGETHER && then != s && waiter.condition.test(s)) {
                        lastChosen.setComesBeforeOthers();
                        next = null;
                    }
                    waiter = next;
                }
            }
            if (marked || line.isEmpty() || word.trySetWaited(frame, s)) {
                return firstChosen;
            }
            marked = true;
        }
    }

    private WaiterTable stripe(int frame) {
        return stripes[frame & (STRIPES - 1)];
    }
}
