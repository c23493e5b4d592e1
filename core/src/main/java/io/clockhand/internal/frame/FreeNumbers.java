// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Free numbers of frames or buffers: those never used yet, in order, and a lock-free stack of those returned.
 *
 * <p>The stack is Treiber's [1], over numbers: {@code head} holds the top number + 1 in its low half and a tag in its
 * high half that every change raises, so that a head that was popped and pushed again in between is not taken for the
 * same (ABA). A link is written before the CAS that publishes its number as top and read before the CAS that takes it;
 * a link that was overwritten meanwhile is discarded with the failed CAS. The tag wraps after 2³² changes within one
 * stalled pop.
 *
 * <p><b>The limit.</b> Numbers from the limit on are not given out: one that is returned, or was popped, is
 * <i>retired</i>, which sets its bit in {@code retired}. {@code fresh} holds the limit in its high half and the least
 * number that was never given out in its low half, so that a number is never given out for the first time by a thread
 * that has an old limit: its CAS fails. A thread that has an old limit may push a number on the stack that should be
 * retired; a later pop retires it. A thread that has an old limit may also retire a number that should be free: it sets
 * the bit, reads the limit again, and takes the bit back; the thread that raises the limit sets it first and takes the
 * bits back afterwards. Both are sequentially consistent, so at least one of them finds the bit, and who clears it
 * pushes the number. Only one thread at a time changes the limit.
 *
 * <p>Thread-safe and lock-free.
 *
 * <p>[1] R. K. Treiber, Systems Programming: Coping with Parallelism, IBM RJ 5118, 1986.
 */
final class FreeNumbers {
    static final int NONE = -1;

    private static final long TOP = 0xFFFF_FFFFL;
    private static final long TAG_ONE = 1L << 32;

    private final Links links;
    private final int numbers;
    private final AtomicLong head = new AtomicLong();
    /** The limit, and the least number that was never given out. */
    private final AtomicLong fresh;
    /** One bit for each number. */
    private final AtomicIntegerArray retired;

    /** Stores the number below each number in the stack; at least opaque access. */
    interface Links {
        /** {@return the link that was set last; anything if the number is not free} */
        int link(int number);

        /** Sets the link of a number before it is free. */
        void setLink(int number, int next);
    }

    /** Starts with numbers 0 to {@code numbers − 1} free. */
    FreeNumbers(Links links, int numbers) {
        this(links, numbers, numbers);
    }

    /** Starts with numbers 0 to {@code limit − 1} free; the limit can be raised to {@code numbers}. */
    FreeNumbers(Links links, int limit, int numbers) {
        this.links = links;
        this.numbers = numbers;
        this.fresh = new AtomicLong((long) limit << Integer.SIZE);
        this.retired = new AtomicIntegerArray((numbers + Integer.SIZE - 1) / Integer.SIZE);
    }

    /** {@return a number that the caller owns now, or NONE} */
    int poll() {
        for (int number = pop(); number != NONE; number = pop()) {
            if (number < limit()) {
                return number;
            }
            retire(number);
        }
        return nextUnused();
    }

    /** Returns a number. */
    void offer(int number) {
        if (number < limit()) {
            push(number);
        } else {
            retire(number);
        }
    }

    private void retire(int number) {
        setRetired(number);
        if (number < limit() && clearRetired(number)) {
            push(number);
        }
    }

    private void setRetired(int number) {
        int at = number / Integer.SIZE;
        for (; ; ) { // no lambda: it would be allocated after the caller has changed the state of a frame
            int bits = retired.get(at);
            if (retired.compareAndSet(at, bits, bits | 1 << number)) {
                return;
            }
        }
    }

    private boolean clearRetired(int number) {
        int at = number / Integer.SIZE;
        for (; ; ) {
            int bits = retired.get(at);
            if ((bits & 1 << number) == 0) {
                return false;
            }
            if (retired.compareAndSet(at, bits, bits & ~(1 << number))) {
                return true;
            }
        }
    }

    // --- the limit ---------------------------------------------------------------------------------------------------

    /** {@return the number of numbers that are given out} */
    int limit() {
        return (int) (fresh.get() >> Integer.SIZE);
    }

    /**
     * Changes the limit. Numbers that were retired and lie below it are free again. Called by one thread at a time.
     *
     * @param limit 0 to the number of numbers
     */
    void setLimit(int limit) {
        int before = limit();
        for (; ; ) {
            long seen = fresh.get();
            if (fresh.compareAndSet(seen, (long) limit << Integer.SIZE | (int) seen)) {
                break;
            }
        }
        for (int number = before; number < limit; number++) {
            if (clearRetired(number)) {
                push(number);
            }
        }
    }

    /** {@return whether nobody has the number or can obtain it while the limit stays} */
    boolean isRetired(int number) {
        return number >= limit()
                && (number >= (int) fresh.get() || (retired.get(number / Integer.SIZE) & 1 << number) != 0);
    }

    /**
     * Retires the numbers in the stack that lie past the limit. The stack may look empty to other threads meanwhile.
     *
     * @param kept is called with each number below the limit, which the caller owns meanwhile, and must not change its
     *     link; if it throws, the numbers are free again nevertheless
     */
    void drain(IntConsumer kept) {
        int chain = NONE;
        for (int number = pop(); number != NONE; number = pop()) {
            if (number < limit()) {
                links.setLink(number, chain);
                chain = number;
            } else {
                retire(number);
            }
        }
        try {
            for (int number = chain; number != NONE; number = links.link(number)) {
                kept.accept(number);
            }
        } finally {
            while (chain != NONE) {
                int next = links.link(chain);
                push(chain);
                chain = next;
            }
        }
    }

    // --- the stack ---------------------------------------------------------------------------------------------------

    private void push(int number) {
        for (; ; ) {
            long h = head.get();
            links.setLink(number, (int) (h & TOP) - 1);
            if (head.compareAndSet(h, ((h & ~TOP) + TAG_ONE) | (number + 1L))) {
                return;
            }
        }
    }

    /** {@return the greatest number of numbers that were taken at any time} */
    int used() {
        return Math.min((int) fresh.get(), numbers);
    }

    /** {@return the number of free numbers, while no other thread takes or returns any} */
    int size() {
        int size = Math.max(0, limit() - used());
        for (int number = (int) (head.get() & TOP) - 1; number != NONE; number = links.link(number)) {
            size++;
        }
        return size;
    }

    /** {@return whether no number is free at the moment} */
    boolean isEmpty() {
        return (head.get() & TOP) == 0 && used() >= limit();
    }

    private int pop() {
        for (; ; ) {
            long h = head.get();
            int top = (int) (h & TOP) - 1;
            if (top == NONE) {
                return NONE;
            }
            int next = links.link(top);
            if (head.compareAndSet(h, ((h & ~TOP) + TAG_ONE) | (next + 1L))) {
                return top;
            }
        }
    }

    private int nextUnused() {
        for (; ; ) {
            long seen = fresh.get();
            int number = (int) seen;
            if (number >= seen >> Integer.SIZE) {
                return NONE;
            }
            if (fresh.compareAndSet(seen, seen + 1)) {
                return number;
            }
        }
    }
}
