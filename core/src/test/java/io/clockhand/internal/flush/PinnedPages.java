// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameStates;

/** Frames whose pages are loaded and pinned, without a pool. */
final class PinnedPages {
    private PinnedPages() {}

    /** {@return the states of some frames; page n is in frame n} */
    static FrameStates of(int frames) {
        FrameStates states = new FrameStates(frames, true);
        for (int frame = 0; frame < frames; frame++) {
            states.tryTakeFree(frame);
            states.publishPinned(frame, frame);
            states.ready(frame);
        }
        return states;
    }
}
