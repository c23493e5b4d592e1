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

/** Neighbours in a chain are removed concurrently: removed entries stay out of it, and all others are still found. */
@JCStressTest
@Outcome(id = "gone, gone, DA", expect = ACCEPTABLE, desc = "Both were removed once, and the others are there.")
@Outcome(expect = FORBIDDEN, desc = "A removal brought the neighbour back, or lost an entry that stays.")
@State
public class ChainRemovalTest extends ChainRemoval {
    public ChainRemovalTest() {
        super(new CoreChain());
    }

    @Actor
    public void newer(LLL_Result r) {
        r.r1 = removeNewer();
    }

    @Actor
    public void older(LLL_Result r) {
        r.r2 = removeOlder();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = left();
    }
}
