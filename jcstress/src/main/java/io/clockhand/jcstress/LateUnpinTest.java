// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A late unpin against a frame going free: a thread gives its empty frame up while a finder that came too late drops
 * its pin; the frame is freed, and listed as free, exactly once.
 */
@JCStressTest
@Outcome(id = "free once", expect = ACCEPTABLE, desc = "By the owner or, if it was doomed, by the finder's unpin.")
@Outcome(expect = FORBIDDEN, desc = "The frame was freed twice or never.")
@State
public class LateUnpinTest {
    private final OneFrame frame = new OneFrame();

    public LateUnpinTest() {
        frame.tryTake();
        frame.pool.states().tryPin(OneFrame.FRAME, 0);
    }

    @Actor
    public void owner() {
        frame.pool.giveUp(OneFrame.FRAME);
    }

    @Actor
    public void finder() {
        frame.pool.unpin(OneFrame.FRAME);
    }

    @Arbiter
    public void end(L_Result r) {
        try {
            r.r1 = !frame.tryTake() ? "never free" : !frame.tryTake() ? "free once" : "free twice";
        } catch (IllegalStateException e) {
            r.r1 = "listed as free, and not free";
        }
    }
}
