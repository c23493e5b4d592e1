// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form. */
class TinyPause extends FlusherPause {
    final AtomicInteger active = new AtomicInteger();
    volatile boolean paused;

    @Override
    void work() {
        active.getAndIncrement();
        if (!paused) {
            step();
        }
        active.getAndDecrement();
    }

    @Override
    final void pause() {
        paused = true;
        while (active.get() > 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    final void resume() {
        paused = false;
    }
}
