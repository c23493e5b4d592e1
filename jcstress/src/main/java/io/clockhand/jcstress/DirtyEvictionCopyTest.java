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
@JCStressMeta(DirtyEvictionTest.class)
@State
public class DirtyEvictionCopyTest extends DirtyEviction {
    public DirtyEvictionCopyTest() {
        super(store -> new TinyCache(store, 2));
    }

    @Actor
    public void updater(LLL_Result r) {
        r.r1 = updateAndReadAgain();
    }

    @Actor
    public void evicter(LLL_Result r) {
        r.r2 = findOther();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = end();
    }
}
