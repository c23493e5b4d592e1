// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicReference;

/** The protocol in its smallest form: one stripe. */
class TinySpareUse extends SpareUse {
    final AtomicReference<Counter> spare = new AtomicReference<>(new Counter());

    @Override
    final Counter take() {
        Counter counter = takeSpare();
        return counter == null ? new Counter() : counter;
    }

    /** {@return null if there is none} */
    Counter takeSpare() {
        return spare.getAndSet(null);
    }

    @Override
    final void putBack(Counter counter) {
        spare.setRelease(counter);
    }
}
