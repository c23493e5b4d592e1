// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the thread looks for work, then clears its slot. */
@JCStressTest
@JCStressMeta(FlusherEndTest.class)
@State
public class FlusherEndBrokenTest {
    private final FlusherEnd slot = new TinyFlusherEnd() {
        @Override
        public boolean tryEnd() {
            if (left) {
                return false;
            }
            slot.set(0);
            return true;
        }
    };

    @Actor
    public void flusher(LL_Result r) {
        r.r1 = slot.tryEnd() ? "ends" : "goes on";
    }

    @Actor
    public void user(LL_Result r) {
        r.r2 = slot.addWork() ? "starts" : "leaves";
    }
}
