// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.CleanedFrame;
import io.clockhand.policy.CleanedFrameTriedOnce;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the search does not try the frame again after it has marked it. */
@JCStressTest
@JCStressMeta(RingCleanTest.class)
@State
public class RingCleanBrokenTest {
    private final CleanedFrame frame = new CleanedFrameTriedOnce();

    @Actor
    public void search() {
        frame.search();
    }

    @Actor
    public void cleaner() {
        frame.clean();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = frame.end();
    }
}
