// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.PoolFailedException;
import io.clockhand.internal.page.PagePool;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A pool fails while a miss begins to wait for a frame, of which none will be free. The failure ends the wait. */
@JCStressTest
@Outcome(id = "failed", expect = ACCEPTABLE, desc = "The thread was woken, or did not sleep.")
@Outcome(expect = FORBIDDEN, desc = "The thread slept on until its time was over.")
@State
public class FailedMissTest {
    private final OutOfMemoryError error = new OutOfMemoryError("for a test");

    private final PagePool pool = TwoFrames.oneOf(new AnyPages(), Duration.ofSeconds(10));

    public FailedMissTest() {
        AnyPages.pin(pool, 1);
    }

    @Actor
    public void waiter(L_Result r) {
        try {
            AnyPages.pin(pool, 2);
            r.r1 = "ended";
        } catch (PoolFailedException e) {
            r.r1 = "failed";
        } catch (IllegalStateException e) {
            r.r1 = "slept on";
        }
    }

    @Actor
    public void failing() {
        pool.framePool().failure().fail(error);
    }
}
