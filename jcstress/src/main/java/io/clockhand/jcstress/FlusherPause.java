// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A thread of the flusher that does a step, against a pause: core's, or the copy of its protocol. */
abstract class FlusherPause {
    private static final int SPINS = 20;

    private volatile boolean steps;

    /** Does a step if there is no pause. */
    abstract void work();

    abstract void pause();

    abstract void resume();

    /** A step takes some time. */
    final void step() {
        steps = true;
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
        }
        steps = false;
    }

    /** {@return whether a step was under way in a pause} */
    final String pauseAndLook() {
        pause();
        boolean seen = false;
        for (int i = 0; i < SPINS; i++) {
            seen |= steps;
        }
        resume();
        return seen ? "step" : "quiet";
    }
}
