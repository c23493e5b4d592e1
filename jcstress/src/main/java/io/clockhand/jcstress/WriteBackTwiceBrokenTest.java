// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: whether the frame is listed is a load, a test and a store. */
@JCStressTest
@JCStressMeta(WriteBackTest.class)
@State
public class WriteBackTwiceBrokenTest {
    private final QueuedFrame frame = new TinyQueuedFrame() {
        @Override
        boolean tryList() {
            if (listed.get() != 0) {
                return false;
            }
            listed.set(1);
            return true;
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
