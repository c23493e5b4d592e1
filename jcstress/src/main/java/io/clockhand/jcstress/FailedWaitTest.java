// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.PoolFailedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A pool fails while a thread begins to wait for a page that nobody will load. The failure ends the wait. */
@JCStressTest
@Outcome(id = "failed", expect = ACCEPTABLE, desc = "The thread was woken, or did not sleep.")
@Outcome(expect = FORBIDDEN, desc = "The thread slept on until its time was over.")
@State
public class FailedWaitTest {
    private final OutOfMemoryError error = new OutOfMemoryError("for a test");

    private final OneFrame frame = new OneFrame();

    public FailedWaitTest() {
        frame.tryTake();
    }

    @Actor
    public void waiter(L_Result r) {
        try {
            frame.pool.awaitReady(OneFrame.FRAME);
            r.r1 = "ended";
        } catch (PoolFailedException e) {
            r.r1 = "failed";
        } catch (IllegalStateException e) {
            r.r1 = "slept on";
        }
    }

    @Actor
    public void failing() {
        frame.pool.failure().fail(error);
    }
}
