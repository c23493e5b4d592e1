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
import org.openjdk.jcstress.infra.results.L_Result;

/** A thread of the flusher does a step, while another thread pauses the flusher. */
@JCStressTest
@Outcome(id = "quiet", expect = ACCEPTABLE, desc = "The step came before the pause or after it.")
@Outcome(expect = FORBIDDEN, desc = "A step was under way in a pause.")
@State
public class FlusherPauseTest implements FlushingThreads.Work {
    private static final int SPINS = 20;

    private final FlushingThreads threads = new FlushingThreads(this, TwoFrames.options(), WakeUp.SHORT_WAIT);
    private volatile boolean steps;

    @Override
    public boolean isLeft() {
        return true;
    }

    /** Takes some time. */
    @Override
    public boolean step() {
        steps = true;
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
        }
        steps = false;
        return true;
    }

    @Actor
    public void flusher() {
        threads.tryEnter(Thread.currentThread());
        threads.work();
    }

    @Actor
    public void pauser(L_Result r) {
        threads.pause();
        boolean seen = false;
        for (int i = 0; i < SPINS; i++) {
            seen |= steps;
        }
        threads.resume();
        r.r1 = seen ? "step" : "quiet";
    }
}
