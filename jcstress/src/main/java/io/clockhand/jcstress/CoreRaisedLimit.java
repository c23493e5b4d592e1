// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FreeFrames;

/** With the free frames of core. */
final class CoreRaisedLimit implements RaisedLimit {
    private final FrameStates states = new FrameStates(2, false);
    private final FreeFrames free = new FreeFrames(states, 2);
    private final int frame;

    CoreRaisedLimit() {
        free.poll();
        this.frame = free.poll();
        free.setLimit(1);
    }

    @Override
    public void giveBack() {
        states.free(frame);
        free.offer(frame);
    }

    @Override
    public void raise() {
        free.setLimit(2);
    }

    @Override
    public int takings() {
        int takings = 0;
        while (takings < 2 && free.poll() == frame) {
            takings++;
        }
        return takings;
    }
}
