// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Broken: after the pin the finder does not check whether the frame still holds the page. */
@JCStressTest
@JCStressMeta(EvictedFrameTest.class)
@State
public class EvictedFrameBrokenTest extends EvictedFrame {
    public EvictedFrameBrokenTest() {
        super(store -> new TinyCache(store, 1) {
            @Override
            boolean isStillBound(Entry entry) {
                return true;
            }
        });
    }

    @Actor
    public void finder(LLL_Result r) {
        r.r1 = findEvicted();
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
