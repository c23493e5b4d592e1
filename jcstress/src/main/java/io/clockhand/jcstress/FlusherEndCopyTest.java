// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(FlusherEndTest.class)
@State
public class FlusherEndCopyTest {
    private final FlusherEnd slot = new TinyFlusherEnd();

    @Actor
    public void flusher(LL_Result r) {
        r.r1 = slot.tryEnd() ? "ends" : "goes on";
    }

    @Actor
    public void user(LL_Result r) {
        r.r2 = slot.addWork() ? "starts" : "leaves";
    }
}
