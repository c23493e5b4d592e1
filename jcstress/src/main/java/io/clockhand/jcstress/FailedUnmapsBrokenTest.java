// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Broken: a frame is taken without the lock. */
@JCStressTest
@JCStressMeta(FailedUnmapsTest.class)
@State
public class FailedUnmapsBrokenTest {
    private final FailedFrames frames = new TinyFailedFrames() {
        @Override
        int poll() {
            return pollUnlocked();
        }
    };

    @Actor
    public void first(II_Result r) {
        r.r1 = frames.addAndTake(1);
    }

    @Actor
    public void second(II_Result r) {
        r.r2 = frames.addAndTake(2);
    }
}
