// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.DroppedFrame;
import io.clockhand.policy.DroppedFrameWithoutOwner;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the search moves the frame although its listing has ended. */
@JCStressTest
@JCStressMeta(RingDropTest.class)
@State
public class RingDropBrokenTest {
    private final DroppedFrame frame = new DroppedFrameWithoutOwner();

    @Actor
    public void miss() {
        frame.miss();
    }

    @Actor
    public void dropper() {
        frame.drop();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = frame.end();
    }
}
