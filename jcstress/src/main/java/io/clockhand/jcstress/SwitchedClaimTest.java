// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameState;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The policy of a pool is exchanged while a page is removed. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "The next policy lists the frame if it has a page.")
@Outcome(expect = FORBIDDEN, desc = "The next policy has lost the frame, or lists a free one.")
@State
public class SwitchedClaimTest {
    private final OneFrame frame = new OneFrame(Duration.ofSeconds(10));
    private final OneFrame.Policy next = new OneFrame.Policy();

    public SwitchedClaimTest() {
        frame.tryAdmit(false);
        frame.publish();
        frame.pool.unpin(OneFrame.FRAME);
    }

    @Actor
    public void remover() {
        if (frame.pool.tryClaimAfterDirtyCheck(OneFrame.FRAME)) {
            frame.pool.remove(OneFrame.FRAME);
        }
    }

    @Actor
    public void exchanger() {
        frame.pool.switchPolicy(next);
    }

    @Arbiter
    public void end(Z_Result r) {
        r.r1 = next.listed != FrameState.isFree(frame.pool.state(OneFrame.FRAME));
    }
}
