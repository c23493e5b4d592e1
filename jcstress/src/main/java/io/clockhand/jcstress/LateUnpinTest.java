// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FreeFrames;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/**
 * A late unpin against a frame going free: a thread gives its empty frame up while a finder that came too late drops
 * its pin; the frame is freed, and listed as free, exactly once.
 */
@JCStressTest
@Outcome(id = "true, false, free once", expect = ACCEPTABLE, desc = "The finder left first; the owner freed the frame.")
@Outcome(
        id = "false, true, free once",
        expect = ACCEPTABLE,
        desc = "The frame was doomed; the finder's unpin freed it.")
@Outcome(expect = FORBIDDEN, desc = "The frame was freed twice or never.")
@State
public class LateUnpinTest {
    private final FrameStates states = new FrameStates(1);
    private final FreeFrames free = new FreeFrames(states, 1);

    public LateUnpinTest() {
        free.poll();
        states.publishPinned(0, 0);
        states.tryPin(0, 0);
    }

    @Actor
    public void owner(ZZL_Result r) {
        r.r1 = FrameState.pins(states.giveUp(0)) == 1;
        if (r.r1) {
            free.offer(0);
        }
    }

    @Actor
    public void finder(ZZL_Result r) {
        long before = states.unpin(0);
        if (!FrameState.isQuiet(before)) {
            states.completeUnpin(0, before);
        }
        r.r2 = FrameState.isLastOfDoomed(before);
        if (r.r2) {
            free.offer(0);
        }
    }

    @Arbiter
    public void end(ZZL_Result r) {
        r.r3 = howOftenFree();
    }

    private String howOftenFree() {
        if (free.poll() != 0) {
            return "never free";
        }
        try {
            return free.poll() == FreeFrames.NONE ? "free once" : "free twice";
        } catch (IllegalStateException listedTwice) {
            return "free twice";
        }
    }
}
