// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.policy.DroppedFrame;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A frame whose page is dropped while a search for a victim demotes it has one cell. */
@JCStressTest
@Outcome(id = "one cell", expect = ACCEPTABLE, desc = "Either thread went first.")
@Outcome(expect = FORBIDDEN, desc = "The frame has no cell, or two, or is counted wrongly.")
@State
public class RingDropTest {
    private final DroppedFrame frame = new DroppedFrame();

    @Actor
    public void miss() {
        frame.miss();
    }

    @Actor
    public void dropper() {
        frame.drop();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = frame.end();
    }
}
