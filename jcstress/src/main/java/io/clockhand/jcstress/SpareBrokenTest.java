// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the spare object is taken by a load and a store. */
@JCStressTest
@JCStressMeta(SpareTest.class)
@State
public class SpareBrokenTest {
    private final SpareUse spare = new TinySpareUse() {
        @Override
        boolean tryTake() {
            boolean free = word.get() == FREE;
            word.set(TAKEN);
            return free;
        }
    };

    @Actor
    public void first() {
        spare.useFirst();
    }

    @Actor
    public void second() {
        spare.useSecond();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = spare.end();
    }
}
