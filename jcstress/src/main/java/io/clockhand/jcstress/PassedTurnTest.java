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

/** No turn is lost: a release chooses one of two writers, which gives up at that moment. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "The writer that waits came in because of the release.")
@Outcome(expect = FORBIDDEN, desc = "The writer slept on after the release, or gave up before its time.")
@State
public class PassedTurnTest extends PassedTurn {
    public PassedTurnTest() {
        super(new CoreTurns());
    }

    @Actor
    public void waiter(LL_Result r) {
        r.r1 = await();
    }

    @Actor
    public void waker(LL_Result r) {
        change();
    }

    @Actor
    public void impatient(LL_Result r) {
        tryImpatiently();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = end();
    }
}
