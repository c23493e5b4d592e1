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
@JCStressMeta(HintedReleaseTest.class)
@State
public class HintedReleaseCopyTest extends HintedRelease {
    public HintedReleaseCopyTest() {
        super(new TinyHints());
    }

    @Actor
    public void first(LLL_Result r) {
        r.r1 = use(Store.A);
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = use(Store.B);
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = end();
    }
}
