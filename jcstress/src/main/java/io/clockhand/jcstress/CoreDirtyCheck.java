// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;

/** On a frame of core. */
final class CoreDirtyCheck implements DirtyCheck {
    private final FrameStates states = Frames.loaded(1);

    @Override
    public void check() {
        states.tryPinForDirtyCheck(0);
        states.endDirtyCheck(0, false);
    }

    @Override
    public boolean useIsTakenForADirtyCheck() {
        states.tryPin(0, 3);
        boolean taken = FrameState.isDirtyCheck(states.state(0));
        states.unpin(0);
        return taken;
    }

    @Override
    public String end() {
        return FrameState.isUnused(states.state(0)) && !FrameState.isDirtyChecked(states.state(0))
                ? "nothing left"
                : FrameState.toString(states.state(0));
    }
}
