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
import org.openjdk.jcstress.infra.results.LLL_Result;

/** An evicted frame is never handed out: a finder seeks A while a miss on B evicts it from the only frame. */
@JCStressTest
@Outcome(
        id = "A, B, loads: 1, intact",
        expect = ACCEPTABLE,
        desc = "The finder was first; the miss took the frame later, or another one.")
@Outcome(
        id = "A, B, loads: 2, intact",
        expect = ACCEPTABLE,
        desc = "The miss was first; the finder saw that A was gone and loaded it again.")
@Outcome(expect = FORBIDDEN, desc = "The finder got a holder that carries B or nothing, or a frame is lost.")
@State
public class EvictedFrameTest {
    private final Boxes boxes = new Boxes(1);

    public EvictedFrameTest() {
        boxes.contentOf(Boxes.A);
    }

    @Actor
    public void finder(LLL_Result r) {
        r.r1 = boxes.contentOf(Boxes.A);
    }

    @Actor
    public void evicter(LLL_Result r) {
        r.r2 = boxes.contentOf(Boxes.B);
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = "loads: " + boxes.loads() + ", " + boxes.integrity();
    }
}
