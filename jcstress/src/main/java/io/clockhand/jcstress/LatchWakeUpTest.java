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
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A reader, an updater that goes on to write, and a writer all get the latch: no wake-up is lost. */
@JCStressTest
@Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "All threads had it.")
@Outcome(expect = FORBIDDEN, desc = "A thread waited for a wake-up that never came.")
@State
public class LatchWakeUpTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(2);

    private final Latches latches = new Latches(Frames.loadedPage(), 1);

    @Actor
    public void reader(ZZZ_Result r) {
        r.r1 = latches.acquireShared(0, LONG);
        latches.releaseShared(0);
    }

    @Actor
    public void updater(ZZZ_Result r) {
        r.r2 = latches.acquireUpdate(0, LONG) && latches.upgrade(0, LONG);
        latches.releaseExclusive(0);
    }

    @Actor
    public void writer(ZZZ_Result r) {
        r.r3 = latches.acquireExclusive(0, LONG);
        latches.releaseExclusive(0);
    }
}
