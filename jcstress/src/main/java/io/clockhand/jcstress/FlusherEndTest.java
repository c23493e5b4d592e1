// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.flush.FlushingThreads;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A thread of the flusher ends, since there is no work, while another thread adds work. */
@JCStressTest
@Outcome(id = "goes on, leaves", expect = ACCEPTABLE, desc = "The thread has seen the work.")
@Outcome(
        id = "ends, starts",
        expect = ACCEPTABLE,
        desc = "The user has seen the empty slot, and starts another thread.")
@Outcome(expect = FORBIDDEN, desc = "There is work and no thread, or two threads in one slot.")
@State
public class FlusherEndTest {
    private static final Thread FIRST = new Thread();
    private static final Thread SECOND = new Thread();

    private final LeftWork work = new LeftWork();
    private final FlushingThreads threads = new FlushingThreads(work, TwoFrames.options(), WakeUp.SHORT_WAIT);

    /** Work that the user leaves to the flusher. */
    private static final class LeftWork implements FlushingThreads.Work {
        private volatile boolean left;

        @Override
        public boolean isLeft() {
            return left;
        }

        @Override
        public boolean step() {
            return false;
        }
    }

    public FlusherEndTest() {
        threads.tryEnter(FIRST);
    }

    @Actor
    public void flusher(LL_Result r) {
        r.r1 = threads.tryEnd() ? "ends" : "goes on";
    }

    @Actor
    public void user(LL_Result r) {
        work.left = true;
        r.r2 = threads.tryEnter(SECOND) ? "starts" : "leaves";
    }
}
