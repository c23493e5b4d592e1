// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form: one stripe, whose object stays the same. */
class TinySpareUse extends SpareUse {
    static final int FREE = 0;
    static final int TAKEN = 1;

    final AtomicInteger word = new AtomicInteger(FREE);
    private final Counter spare = new Counter();

    @Override
    final Counter take() {
        return tryTake() ? spare : new Counter();
    }

    boolean tryTake() {
        return word.getAndSet(TAKEN) == FREE;
    }

    @Override
    final void putBack(Counter counter) {
        if (counter == spare) {
            word.setRelease(FREE);
        }
    }
}
