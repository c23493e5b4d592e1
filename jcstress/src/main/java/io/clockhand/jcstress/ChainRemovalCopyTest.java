// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(ChainRemovalTest.class)
@State
public class ChainRemovalCopyTest extends ChainRemoval {
    public ChainRemovalCopyTest() {
        super(new TinyChain());
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
