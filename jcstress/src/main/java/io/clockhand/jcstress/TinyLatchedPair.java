// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The latch in its smallest form: readers below a bit for a writer. */
class TinyLatchedPair extends LatchedPair {
    static final int EXCLUSIVE = 1 << 16;

    final AtomicInteger word = new AtomicInteger();

    @Override
    boolean tryExclusive() {
        return word.compareAndSet(0, EXCLUSIVE);
    }

    @Override
    final void releaseExclusive() {
        word.getAndAdd(-EXCLUSIVE);
    }

    @Override
    final boolean tryShared() {
        for (; ; ) {
            int seen = word.get();
            if (seen >= EXCLUSIVE) {
                return false;
            }
            if (word.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    @Override
    final void releaseShared() {
        word.getAndDecrement();
    }
}
