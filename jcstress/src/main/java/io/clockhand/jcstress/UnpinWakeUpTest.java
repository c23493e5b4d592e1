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

/** No wake-up is lost: a thread waits to be alone on a frame while another drops its pin. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "The waiter returned because of the unpin.")
@Outcome(expect = FORBIDDEN, desc = "The waiter slept on after the unpin, or gave up before its time.")
@State
public class UnpinWakeUpTest extends WakeUp {
    public UnpinWakeUpTest() {
        super(new UnpinnedFrame());
    }

    /** A frame that loses its last pin but one. */
    private static final class UnpinnedFrame implements Signal {
        private final long waitNanos = longWait().toNanos();
        private final FrameStates states = Frames.loaded(1);
        private final FrameWaiters waiters = states.waiters();

        UnpinnedFrame() {
            states.tryPin(0, 3);
            states.tryPin(0, 3);
        }

        @Override
        public boolean await() {
            return waiters.await(0, state -> FrameState.pins(state) == 1, waitNanos);
        }

        @Override
        public void change() {
            long before = states.unpin(0);
            if (states.concernsOthers(before)) {
                waiters.wake(0, states.completeUnpin(0, before));
            }
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
