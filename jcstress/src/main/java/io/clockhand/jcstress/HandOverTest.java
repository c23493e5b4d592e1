// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.page.PagePool;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** No frame is lost: a miss lines up for any frame while another thread drops the last pin of the only one. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "The miss had the frame because of the unpin.")
@Outcome(expect = FORBIDDEN, desc = "The miss slept on after the unpin, or gave up before its time.")
@State
public class HandOverTest extends WakeUp {
    public HandOverTest() {
        super(new LastPin());
    }

    /** A pool whose only frame is pinned, and a miss. */
    private static final class LastPin implements Signal {
        private final long waitNanos = longWait().toNanos();
        private final PagePool pool = TwoFrames.oneOf(new AnyPages(), Duration.ofNanos(waitNanos));
        private final int frame = AnyPages.pin(pool, 1);

        @Override
        public boolean await() {
            return AnyPages.pin(pool, 2) == frame;
        }

        @Override
        public void change() {
            pool.unpin(frame);
        }

        @Override
        public long waitNanos() {
            return waitNanos;
        }
    }

    @Actor
    public void waiter(LL_Result r) {
        r.r1 = await();
    }

    @Actor
    public void waker(LL_Result r) {
        change();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = end();
    }
}
