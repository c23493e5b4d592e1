// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two threads of the flusher find that one of them is too many. */
@JCStressTest
@Outcome(id = "in time, in time", expect = ACCEPTABLE, desc = "One has stopped at most, and the other has woken it.")
@Outcome(expect = FORBIDDEN, desc = "Both have stopped although there is work.")
@State
public class FlusherSurplusTest {
    private final FlusherSurplus threads = new CoreSurplus();

    @Actor
    public void one(LL_Result r) {
        r.r1 = threads.timed(0);
    }

    @Actor
    public void other(LL_Result r) {
        r.r2 = threads.timed(1);
    }
}
