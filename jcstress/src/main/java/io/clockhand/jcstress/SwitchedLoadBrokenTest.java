// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Broken: a frame whose page is being read is passed over. */
@JCStressTest
@JCStressMeta(SwitchedLoadTest.class)
@State
public class SwitchedLoadBrokenTest {
    private final PolicySwitch pool = new TinyPolicySwitch() {
        @Override
        boolean waitsFor(boolean empty) {
            return !empty;
        }
    };

    @Actor
    public void user() {
        pool.replace();
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
