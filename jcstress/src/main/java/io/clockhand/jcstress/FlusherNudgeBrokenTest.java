// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the thread looks for work, then counts the nudges. */
@JCStressTest
@JCStressMeta(FlusherNudgeTest.class)
@State
public class FlusherNudgeBrokenTest extends WakeUp {
    public FlusherNudgeBrokenTest() {
        super(new TinyNudge(SHORT_WAIT) {
            @Override
            boolean look() {
                boolean found = left;
                seen = nudges.get();
                return found;
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

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = end();
    }
}
