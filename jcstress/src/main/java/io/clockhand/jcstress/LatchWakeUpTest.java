// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.Latches;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A reader, an updater that goes on to write, and a writer all get the latch: no wake-up is lost. */
@JCStressTest
@Outcome(id = "in time, in time, in time", expect = ACCEPTABLE, desc = "All threads had it.")
@Outcome(expect = FORBIDDEN, desc = "A thread waited for a wake-up that never came.")
@State
public class LatchWakeUpTest {
    private final Latches latches = new Latches(Frames.loadedPage(), 1);
    private final long waitNanos = WakeUp.longWait().toNanos();

    @Actor
    public void reader(LLL_Result r) {
        long begin = System.nanoTime();
        r.r1 = outcome(latches.acquireShared(0, waitNanos), begin);
        latches.releaseShared(0);
    }

    @Actor
    public void updater(LLL_Result r) {
        long begin = System.nanoTime();
        r.r2 = outcome(latches.acquireUpdate(0, waitNanos) && latches.upgrade(0, waitNanos), begin);
        latches.releaseExclusive(0);
    }

    @Actor
    public void writer(LLL_Result r) {
        long begin = System.nanoTime();
        r.r3 = outcome(latches.acquireExclusive(0, waitNanos), begin);
        latches.releaseExclusive(0);
    }

    private String outcome(boolean acquired, long begin) {
        return acquired ? WakeUp.outcome(System.nanoTime() - begin, waitNanos) : "gave up";
    }
}
