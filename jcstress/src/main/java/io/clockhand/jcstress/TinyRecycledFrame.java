// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The protocol in its smallest form: two chains of three frames, each with a version above the number of its first
 * frame + 1.
 */
class TinyRecycledFrame extends RecycledFrame {
    private static final int FRAME = 0xFF;
    private static final int VERSION_ONE = 0x100;

    private final AtomicLong[] heads = {new AtomicLong(), new AtomicLong()};
    private final AtomicIntegerArray next = new AtomicIntegerArray(3);

    TinyRecycledFrame(boolean inTheMiddle) {
        super(inTheMiddle);
        fill();
    }

    private AtomicLong chain(int page) {
        return heads[page == C ? 1 : 0];
    }

    @Override
    final int find(int page) {
        for (; ; ) {
            long head = chain(page).get();
            int frame = (int) (head & FRAME) - 1;
            while (frame != NONE && bound.get(frame) != page) {
                frame = next.get(frame) - 1;
            }
            if (isConfirmed(chain(page), head)) {
                return frame;
            }
        }
    }

    boolean isConfirmed(AtomicLong chain, long head) {
        return chain.get() == head;
    }

    @Override
    final int putIfAbsent(int page, int frame) {
        AtomicLong chain = chain(page);
        long head = chain.get();
        next.set(frame, (int) (head & FRAME));
        chain.set((head & ~FRAME) + VERSION_ONE + frame + 1);
        return NONE;
    }

    @Override
    final void remove(int page, int frame) {
        AtomicLong chain = chain(page);
        long head = chain.get();
        int first = (int) (head & FRAME) - 1;
        if (first == frame) {
            chain.set((head & ~FRAME) + VERSION_ONE + next.get(frame));
        } else {
            next.set(first, next.get(frame)); // it is the second
            chain.set(head + VERSION_ONE);
        }
    }
}
