// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form: the number of places of the frame in the queue, and whether it is listed. */
class TinyQueuedFrame extends QueuedFrame {
    final AtomicInteger listed = new AtomicInteger();
    private final AtomicInteger places = new AtomicInteger();

    TinyQueuedFrame() {
        fill();
    }

    @Override
    final void add() {
        if (tryList()) {
            places.getAndIncrement();
        }
    }

    boolean tryList() {
        return listed.compareAndSet(0, 1);
    }

    @Override
    final boolean poll() {
        if (!take()) {
            return false;
        }
        listed.set(0);
        return true;
    }

    /** The first step of a poll: the frame stays listed. */
    final boolean take() {
        if (places.get() == 0) {
            return false;
        }
        places.getAndDecrement();
        return true;
    }
}
