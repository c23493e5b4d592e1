// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Pin against claim: a finder pins the frame that a list policy claims as its victim. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The finder was first; the frame is no victim.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The claim was first; the finder sees it.")
@Outcome(id = "true, true", expect = FORBIDDEN, desc = "A frame was claimed while it was pinned.")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "Neither of them succeeded.")
@State
public class PinAgainstClaimTest {
    private final FrameStates states = Frames.loaded(0);

    @Actor
    public void finder(ZZ_Result r) {
        r.r1 = states.tryPin(0, 3) != FrameStates.NOT_PINNED;
    }

    @Actor
    public void claimer(ZZ_Result r) {
        r.r2 = states.tryClaim(0);
    }
}
