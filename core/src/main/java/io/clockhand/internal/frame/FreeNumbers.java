// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Free numbers of frames or buffers: those never used yet, in order, and a lock-free stack of those returned.
 *
 * <p>The stack is Treiber's [1], over numbers: {@code head} holds the top number + 1 in its low half and a tag in its
 * high half that every change raises, so that a head that was popped and pushed again in between is not taken for the
 * same (ABA). A link is written before the CAS that publishes its number as top and read before the CAS that takes it;
 * a link that was overwritten meanwhile is discarded with the failed CAS. The tag wraps after 2³² changes within one
 * stalled pop.
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
    private final AtomicInteger unused = new AtomicInteger();
    private final AtomicLong head = new AtomicLong();

    /** Stores the number below each number in the stack; at least opaque access. */
    interface Links {
        /** {@return the link that was set last; anything if the number is not free} */
        int link(int number);

        /** Sets the link of a number before it is free. */
        void setLink(int number, int next);
    }

    /** Starts with numbers 0 to {@code numbers − 1} free. */
    FreeNumbers(Links links, int numbers) {
        this.links = links;
        this.numbers = numbers;
    }

    /** {@return a number that the caller owns now, or NONE} */
    int poll() {
        int number = pop();
        return number != NONE ? number : nextUnused();
    }

    /** Returns a number. */
    void offer(int number) {
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
        return Math.min(unused.get(), numbers);
    }

    /** {@return the number of free numbers, while no other thread takes or returns any} */
    int size() {
        int size = numbers - used();
        for (int number = (int) (head.get() & TOP) - 1; number != NONE; number = links.link(number)) {
            size++;
        }
        return size;
    }

    /** {@return whether no number is free at the moment} */
    boolean isEmpty() {
        return (head.get() & TOP) == 0 && unused.get() >= numbers;
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
            int number = unused.get();
            if (number >= numbers) {
                return NONE;
            }
            if (unused.compareAndSet(number, number + 1)) {
                return number;
            }
        }
    }
}
