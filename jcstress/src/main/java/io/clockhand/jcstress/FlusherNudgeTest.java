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
import org.openjdk.jcstress.infra.results.LL_Result;

/** A thread of the flusher looks for work and parks, while another thread adds work and nudges it. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "It has found the work, before it parked or by the nudge.")
@Outcome(expect = FORBIDDEN, desc = "It slept on although there was work.")
@State
public class FlusherNudgeTest extends WakeUp {
    public FlusherNudgeTest() {
        super(new CoreNudge());
    }

    @Actor
    public void waiter(LL_Result r) {
        r.r1 = await();
    }

    @Actor
    public void waker(LL_Result r) {
        change();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = end();
    }
}
