// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the cleaner reads the mark before the frame can be listed again. */
@JCStressTest
@JCStressMeta(WriteBackTest.class)
@State
public class WriteBackLostBrokenTest {
    private final QueuedFrame frame = new TinyQueuedFrame() {
        @Override
        boolean pollMarked() {
            boolean marked = take() && FrameState.isQueued(states.state(FRAME));
            listed.set(0);
            return marked;
        }
    };

    @Actor
    public void miss() {
        frame.decline();
    }

    @Actor
    public void cleaner(LL_Result r) {
        r.r1 = frame.clean();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = frame.end();
    }
}
