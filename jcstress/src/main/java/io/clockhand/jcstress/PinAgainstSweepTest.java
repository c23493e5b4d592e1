// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameOutcome;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Pin against claim: a finder pins and unpins the frame that the clock hand passes twice; it has one weight. */
@JCStressTest
@Outcome(id = "pinned, SKIPPED, READY", expect = ACCEPTABLE, desc = "The hand passed the frame while it was pinned.")
@Outcome(id = "pinned, AGED, READY", expect = ACCEPTABLE, desc = "The hand removed the weight that the pin had added.")
@Outcome(id = "pinned, CLAIMED, claimed", expect = ACCEPTABLE, desc = "The hand passed twice, after the unpin.")
@Outcome(
        id = "too late, CLAIMED, claimed",
        expect = ACCEPTABLE,
        desc = "The hand was first; the finder sees the claim.")
@Outcome(expect = FORBIDDEN, desc = "Claimed while pinned, or a pin or a claim was lost.")
@State
public class PinAgainstSweepTest {
    private final FrameStates states = Frames.loaded(1);

    @Actor
    public void finder(LLL_Result r) {
        if (states.tryPin(0, 3) == FrameStates.NOT_PINNED) {
            r.r1 = "too late";
            return;
        }
        r.r1 = FrameState.isClaimed(states.state(0)) ? "pinned and claimed" : "pinned";
        try {
            states.unpin(0);
        } catch (IllegalStateException e) {
            r.r1 = "pin lost";
        }
    }

    @Actor
    public void hand(LLL_Result r) {
        FrameOutcome first = states.ageOrClaim(0);
        r.r2 = first == FrameOutcome.AGED ? states.ageOrClaim(0) : first;
        if (r.r2 == FrameOutcome.SKIPPED && first == FrameOutcome.AGED) {
            r.r2 = first;
        }
    }

    @Arbiter
    public void end(LLL_Result r) {
        long state = states.state(0);
        r.r3 = FrameState.pins(state) != 0 ? "a pin left" : FrameState.isClaimed(state) ? "claimed" : "READY";
    }
}
