// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form. */
class TinyFlusherEnd implements FlusherEnd {
    /** The number of the thread that has it, or 0. */
    final AtomicInteger slot = new AtomicInteger(1);

    volatile boolean left;

    @Override
    public boolean tryEnd() {
        slot.set(0);
        return !left || !slot.compareAndSet(0, 1);
    }

    @Override
    public final boolean addWork() {
        left = true;
        return slot.compareAndSet(0, 2);
    }
}
