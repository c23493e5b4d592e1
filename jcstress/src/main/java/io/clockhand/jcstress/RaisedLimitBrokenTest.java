// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Broken: a thread that retires a number does not read the limit again. */
@JCStressTest
@JCStressMeta(RaisedLimitTest.class)
@State
public class RaisedLimitBrokenTest {
    private final RaisedLimit numbers = new TinyRaisedLimit() {
        @Override
        void retire() {
            retired.set(true);
        }
    };

    @Actor
    public void owner() {
        numbers.giveBack();
    }

    @Actor
    public void raiser() {
        numbers.raise();
    }

    @Arbiter
    public void end(I_Result r) {
        r.r1 = numbers.takings();
    }
}
