// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Broken: a thread with a claim does not look which policy is in force by then. */
@JCStressTest
@JCStressMeta(SwitchedClaimTest.class)
@State
public class SwitchedClaimBrokenTest {
    private final PolicySwitch pool = new TinyPolicySwitch() {
        @Override
        boolean looksAgain() {
            return false;
        }
    };

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
