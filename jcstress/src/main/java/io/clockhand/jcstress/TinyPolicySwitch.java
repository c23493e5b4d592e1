// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A copy of the protocol, whose steps can be left out. */
class TinyPolicySwitch implements PolicySwitch {
    private static final int READY = 0;
    private static final int PINNED = 1;
    private static final int CLAIMED = 2;
    private static final int EMPTY = 3;
    private static final int FREE = 4;

    private final AtomicInteger state = new AtomicInteger(READY);
    /** The number of the policy in force. */
    private final AtomicInteger current = new AtomicInteger();

    private final AtomicBoolean[] listed = {new AtomicBoolean(true), new AtomicBoolean()};

    /** {@return whether the thread that exchanges the policy waits for a state to pass} */
    boolean waitsFor(boolean empty) {
        return true;
    }

    /** {@return whether a thread with a claim looks again which policy is in force} */
    boolean looksAgain() {
        return true;
    }

    private boolean claim() {
        int called = current.get();
        if (!state.compareAndSet(READY, CLAIMED)) {
            return false;
        }
        listed[called].set(false);
        if (looksAgain() && current.get() != called) {
            listed[current.get()].set(false);
        }
        return true;
    }

    @Override
    public void replace() {
        if (claim()) {
            state.set(EMPTY);
            listed[current.get()].set(true);
            state.set(READY);
        }
    }

    @Override
    public void remove() {
        if (claim()) {
            state.set(FREE);
        }
    }

    @Override
    public void exchange() {
        current.set(1);
        for (; ; ) {
            if (state.compareAndSet(READY, PINNED)) {
                listed[1].set(true);
                state.set(READY);
                return;
            }
            int seen = state.get();
            if (seen == FREE || (seen == EMPTY && !waitsFor(true)) || (seen == CLAIMED && !waitsFor(false))) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public boolean isListedRight() {
        return listed[1].get() == (state.get() != FREE);
    }
}
