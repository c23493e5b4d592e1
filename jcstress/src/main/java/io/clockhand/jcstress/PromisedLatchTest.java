// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.Latches;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A latch is promised to an updater that finds it taken again, and gives up soon; a writer waits behind the promise.
 * The writer comes in, whether the promise is kept or broken, and no promise is left.
 */
@JCStressTest
@Outcome(id = "seen, in time, free", expect = ACCEPTABLE, desc = "The writer came in.")
@Outcome(expect = FORBIDDEN, desc = "The writer slept on, gave up before its time, or a promise was left behind.")
@State
public class PromisedLatchTest extends WakeUp {
    private static final long BRIEF = 20_000;
    /** About as long as a thread is parked at least. */
    private static final long MOST_HELD = 150_000;

    private final Latches latches;

    public PromisedLatchTest() {
        this(new Latches(Frames.loadedPage(), 1, 0));
    }

    private PromisedLatchTest(Latches latches) {
        super(new BargedLatch(latches));
        this.latches = latches;
    }

    /** A latch that its holder releases and takes again, if it can. */
    private static final class BargedLatch implements Signal {
        private final long waitNanos = longWait().toNanos();
        private final long held = ThreadLocalRandom.current().nextLong(MOST_HELD);
        private final Latches latches;

        BargedLatch(Latches latches) {
            this.latches = latches;
            latches.tryExclusive(0);
        }

        @Override
        public boolean await() {
            if (latches.acquireExclusive(0, waitNanos)) {
                latches.releaseExclusive(0);
            }
            return true; // a writer that was not let in has slept too long
        }

        @Override
        public void change() {
            latches.releaseExclusive(0);
            if (latches.tryExclusive(0)) {
                long start = System.nanoTime();
                while (System.nanoTime() - start < held) { // the updater may give up meanwhile
                    Thread.onSpinWait();
                }
                latches.releaseExclusive(0);
            }
        }

        @Override
        public long waitNanos() {
            return waitNanos;
        }
    }

    @Actor
    public void writer(LLL_Result r) {
        r.r1 = await();
    }

    @Actor
    public void updater() {
        if (latches.acquireUpgradable(0, BRIEF)) {
            latches.releaseUpgradable(0);
        }
    }

    @Actor
    public void barger() {
        change();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r2 = end();
        r.r3 = latches.tryExclusive(0) ? "free" : "held";
    }
}
