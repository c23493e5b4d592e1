// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(LatchModesTest.class)
@State
public class LatchModesCopyTest {
    private final LatchedPair pair = new TinyLatchedPair();

    @Actor
    public void writer(LLI_Result r) {
        r.r1 = pair.write();
    }

    @Actor
    public void reader(LLI_Result r) {
        r.r2 = pair.read();
    }

    @Arbiter
    public void end(LLI_Result r) {
        r.r3 = pair.sum();
    }
}
