// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(SwitchedClaimTest.class)
@State
public class SwitchedClaimCopyTest {
    private final PolicySwitch pool = new TinyPolicySwitch();

    @Actor
    public void user() {
        pool.remove();
    }

    @Actor
    public void exchanger() {
        pool.exchange();
    }

    @Arbiter
    public void end(Z_Result r) {
        r.r1 = pool.isListedRight();
    }
}
