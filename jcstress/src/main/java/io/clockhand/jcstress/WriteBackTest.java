// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A dirty frame that is marked for write-back is in the queue, and is there once, whatever the cleaner does. */
@JCStressTest
@Outcome(
        id = "skipped, marked, 1 in the queue",
        expect = ACCEPTABLE,
        desc = "The cleaner took the frame before it was marked, and the miss added it again.")
@Outcome(
        id = "written, marked, 1 in the queue",
        expect = ACCEPTABLE,
        desc = "The cleaner saw the mark; one of the two added the frame again.")
@Outcome(expect = FORBIDDEN, desc = "The frame is marked and not in the queue, so it is lost, or is there twice.")
@State
public class WriteBackTest {
    private final QueuedFrame frame = new CoreQueuedFrame();

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
