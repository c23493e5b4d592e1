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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A dirty page is never claimed as a victim. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The clean page was claimed, and not changed.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The page was in use, or dirty.")
@Outcome(expect = FORBIDDEN, desc = "A dirty page was claimed, or neither of the two had it.")
@State
public class DirtyClaimTest {
    private final FrameStates states = Frames.loadedPage();
    private boolean claimed;

    @Actor
    public void updater() {
        if (states.tryPin(0, 0) != FrameStates.NOT_PINNED) {
            states.markDirty(0);
            states.unpin(0);
        }
    }

    @Actor
    public void evictor() {
        claimed = states.tryClaim(0);
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = claimed;
        r.r2 = FrameState.isDirty(states.state(0));
    }
}
