// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameStates;

/** Words of one frame in the states where tests begin. */
final class Frames {
    private Frames() {}

    /** {@return the words of frame 0, pinned and empty} */
    static FrameStates arriving(int weight) {
        FrameStates states = new FrameStates(1);
        states.tryTakeFree(0);
        states.publishPinned(0, weight);
        return states;
    }

    /** {@return the words of frame 0, which holds a page that is not pinned} */
    static FrameStates loadedPage() {
        FrameStates states = new FrameStates(1, true);
        states.tryTakeFree(0);
        states.publishPinned(0, 0);
        states.ready(0);
        states.unpin(0);
        return states;
    }

    /** {@return the words of frame 0, loaded and not pinned} */
    static FrameStates loaded(int weight) {
        FrameStates states = arriving(weight);
        states.ready(0);
        states.unpin(0);
        return states;
    }
}
