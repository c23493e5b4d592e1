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
import org.openjdk.jcstress.infra.results.I_Result;

/** A frame is returned while the pool grows: it is free once, and not lost. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The frame is free.")
@Outcome(expect = FORBIDDEN, desc = "The frame is lost, or free twice.")
@State
public class RaisedLimitTest {
    private final RaisedLimit numbers = new CoreRaisedLimit();

    @Actor
    public void owner() {
        numbers.giveBack();
    }

    @Actor
    public void raiser() {
        numbers.raise();
    }

    @Arbiter
    public void end(I_Result r) {
        r.r1 = numbers.takings();
    }
}
