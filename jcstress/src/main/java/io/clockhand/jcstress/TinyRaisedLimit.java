// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A copy of the protocol with one number, 1. */
class TinyRaisedLimit implements RaisedLimit {
    private static final int NUMBER = 1;

    final AtomicInteger limit = new AtomicInteger(NUMBER);
    final AtomicBoolean retired = new AtomicBoolean();
    final AtomicInteger free = new AtomicInteger();

    /** A number past the limit was returned. */
    void retire() {
        retired.set(true);
        if (NUMBER < limit.get() && retired.compareAndSet(true, false)) {
            free.incrementAndGet();
        }
    }

    @Override
    public void giveBack() {
        if (NUMBER < limit.get()) {
            free.incrementAndGet();
        } else {
            retire();
        }
    }

    @Override
    public void raise() {
        limit.set(NUMBER + 1);
        if (retired.compareAndSet(true, false)) {
            free.incrementAndGet();
        }
    }

    @Override
    public int takings() {
        return free.get();
    }
}
