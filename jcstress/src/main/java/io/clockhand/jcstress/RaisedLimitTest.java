// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FreeFrames;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A frame is returned while the pool grows: it is free once, and not lost. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The frame is free.")
@Outcome(expect = FORBIDDEN, desc = "The frame is lost, or free twice.")
@State
public class RaisedLimitTest {
    private final FrameStates states = new FrameStates(2, false);
    private final FreeFrames free = new FreeFrames(states, 2);
    private final int frame;

    public RaisedLimitTest() {
        free.poll();
        this.frame = free.poll();
        free.setLimit(1);
    }

    @Actor
    public void owner() {
        states.free(frame);
        free.offer(frame);
    }

    @Actor
    public void raiser() {
        free.setLimit(2);
    }

    @Arbiter
    public void end(I_Result r) {
        while (r.r1 < 2 && free.poll() == frame) {
            r.r1++;
        }
    }
}
