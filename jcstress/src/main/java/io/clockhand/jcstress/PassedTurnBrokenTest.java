// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: a thread that was chosen and gives up wakes no other. */
@JCStressTest
@JCStressMeta(PassedTurnTest.class)
@State
public class PassedTurnBrokenTest extends PassedTurn {
    public PassedTurnBrokenTest() {
        super(new TinyTurns(SHORT_WAIT) {
            @Override
            void passOn() {
                // the turn is lost
            }
        });
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
