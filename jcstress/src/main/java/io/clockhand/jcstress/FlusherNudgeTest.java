// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.flush.FlushingThreads;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A thread of the flusher looks for work and parks, while another thread adds work and nudges it. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "It has found the work, before it parked or by the nudge.")
@Outcome(expect = FORBIDDEN, desc = "It slept on although there was work.")
@State
public class FlusherNudgeTest extends WakeUp {
    private static final class Nudge implements Signal, FlushingThreads.Work {
        private final Duration wait = longWait();
        private final FlushingThreads threads = new FlushingThreads(this, TwoFrames.options(), wait);
        private volatile boolean left;

        @Override
        public boolean isLeft() {
            return left;
        }

        @Override
        public boolean step() {
            return left;
        }

        @Override
        public long waitNanos() {
            return wait.toNanos();
        }

        /** Looks for work; parks if there is none, then looks again. */
        @Override
        public boolean await() {
            threads.tryEnter(Thread.currentThread());
            boolean found = false;
            for (int look = 0; look < 2 && !found; look++) {
                found = threads.work();
            }
            return found;
        }

        @Override
        public void change() {
            left = true;
            threads.nudge();
        }
    }

    public FlusherNudgeTest() {
        super(new Nudge());
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
