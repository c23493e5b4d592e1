// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.Spares;

/** Of the objects of core. */
final class CoreSpareUse extends SpareUse {
    private static final long THREAD = 3;

    private final Spares<Counter> spares = new Spares<>(Counter::new);

    CoreSpareUse() {
        putBack(take()); // so that it is there
    }

    @Override
    Counter take() {
        return spares.take(THREAD);
    }

    @Override
    void putBack(Counter counter) {
        spares.putBack(THREAD, counter);
    }
}
