// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form: one word with pins, claim, ready and a generation, and an identity next to it. */
class TinyShortcut extends Shortcut {
    static final int PINS = 0xFF;
    static final int CLAIMED = 1 << 8;
    static final int READY = 1 << 9;
    private static final int GENERATION = 1 << 10;

    final AtomicInteger word = new AtomicInteger(READY);
    private final AtomicInteger identity = new AtomicInteger(A);

    @Override
    boolean tryPin(int sought) {
        for (; ; ) {
            int state = word.get();
            if (!isReady(state) || !is(sought)) {
                return false;
            }
            if (word.compareAndSet(state, state + 1)) {
                return true;
            }
        }
    }

    static boolean isReady(int state) {
        return (state & (CLAIMED | READY)) == READY;
    }

    final boolean is(int sought) {
        return identity.getOpaque() == sought;
    }

    @Override
    final void unpin() {
        word.getAndDecrement();
    }

    @Override
    final boolean tryClaim() {
        int state = word.get();
        return (state & PINS) == 0 && word.compareAndSet(state, state | CLAIMED);
    }

    @Override
    final void publish(int next) {
        identity.setOpaque(next);
        word.set((word.get() & ~(CLAIMED | READY)) + GENERATION + 1);
    }

    @Override
    final void ready() {
        word.getAndAdd(READY - 1);
    }

    @Override
    final int pins() {
        return word.get() & PINS;
    }
}
