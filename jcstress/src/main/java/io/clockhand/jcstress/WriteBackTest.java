// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.WriteBackQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A frame was left in the write-back queue when its mark was cleared. A miss declines it as a dirty victim, while the
 * cleaner takes it out of the queue. If it is marked for write-back it is in the queue, and is there once.
 */
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
    private final OneFrame frame = new OneFrame();
    private final FrameStates states = frame.pool.states();
    private final WriteBackQueue queue = new WriteBackQueue(frame.pool);

    public WriteBackTest() {
        frame.load();
        queue.add(0);
    }

    @Actor
    public void miss() {
        if (states.tryClaim(0)) {
            leaveToCleaner();
        }
    }

    /** If the frame is marked, it is written back, and declined again. */
    @Actor
    public void cleaner(LL_Result r) {
        if (queue.poll() != 0 || !FrameState.isQueued(states.state(0))) {
            r.r1 = "skipped";
        } else if (!states.tryClaimQueued(0)) {
            r.r1 = "in use";
        } else {
            leaveToCleaner();
            r.r1 = "written";
        }
    }

    private void leaveToCleaner() {
        states.revoke(0, true);
        queue.add(0);
    }

    @Arbiter
    public void end(LL_Result r) {
        int places = 0;
        while (queue.poll() == 0) {
            places++;
        }
        r.r2 = (FrameState.isQueued(states.state(0)) ? "marked, " : "not marked, ") + places + " in the queue";
    }
}
