// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.Latches;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A reader, an updater that goes on to write, and a writer all get the latch: no wake-up is lost. One that was would
 * show in the time only, since a thread tests its condition once more when its time is over.
 */
@JCStressTest
@Outcome(id = "in time, in time, in time", expect = ACCEPTABLE, desc = "All threads had it.")
@Outcome(expect = FORBIDDEN, desc = "A thread waited for a wake-up that never came.")
@State
public class LatchWakeUpTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(5);

    private final Latches latches = new Latches(Frames.loadedPage(), 1);

    @Actor
    public void reader(LLL_Result r) {
        long begin = System.nanoTime();
        r.r1 = outcome(latches.acquireShared(0, LONG), begin);
        latches.releaseShared(0);
    }

    @Actor
    public void updater(LLL_Result r) {
        long begin = System.nanoTime();
        r.r2 = outcome(latches.acquireUpdate(0, LONG) && latches.upgrade(0, LONG), begin);
        latches.releaseExclusive(0);
    }

    @Actor
    public void writer(LLL_Result r) {
        long begin = System.nanoTime();
        r.r3 = outcome(latches.acquireExclusive(0, LONG), begin);
        latches.releaseExclusive(0);
    }

    private static String outcome(boolean acquired, long begin) {
        if (!acquired) {
            return "gave up";
        }
        return System.nanoTime() - begin < LONG / 2 ? "in time" : "too late";
    }
}
