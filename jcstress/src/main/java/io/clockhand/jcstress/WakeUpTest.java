// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** No wake-up is lost: a thread waits for the content of a frame while another publishes it. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "The waiter returned because of the change.")
@Outcome(expect = FORBIDDEN, desc = "The waiter slept on after the change, or gave up before its time.")
@State
public class WakeUpTest extends WakeUp {
    public WakeUpTest() {
        super(new LoadedFrame());
    }

    /** A frame that becomes ready. */
    private static final class LoadedFrame implements Signal {
        private final long waitNanos = longWait().toNanos();
        private final FrameStates states = Frames.arriving(1);
        private final FrameWaiters waiters = states.waiters();

        LoadedFrame() {
            states.tryPin(0, 3);
        }

        @Override
        public boolean await() {
            return waiters.await(0, state -> FrameState.content(state) == FrameState.READY, waitNanos);
        }

        @Override
        public void change() {
            waiters.wake(0, states.ready(0));
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
