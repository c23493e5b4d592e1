// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** A thread that uses a frame is never taken for one that only checks whether it is dirty. */
@JCStressTest
@Outcome(id = "false, nothing left", expect = ACCEPTABLE, desc = "The use was distinguished from the dirty check.")
@Outcome(expect = FORBIDDEN, desc = "A frame in use was taken for one that is only checked.")
@State
public class DirtyCheckAgainstUseTest {
    private final FrameStates states = Frames.loaded(1);

    @Actor
    public void checker() {
        states.tryPinForDirtyCheck(0);
        states.endDirtyCheck(0, false);
    }

    @Actor
    public void user(ZL_Result r) {
        states.tryPin(0, 3);
        r.r1 = FrameState.isDirtyCheck(states.state(0));
        states.unpin(0);
    }

    @Arbiter
    public void end(ZL_Result r) {
        long state = states.state(0);
        boolean none = FrameState.isUnused(state) && !FrameState.isDirtyChecked(state);
        r.r2 = none ? "nothing left" : FrameState.toString(state);
    }
}
