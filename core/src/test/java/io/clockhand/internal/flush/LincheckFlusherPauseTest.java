// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Tier;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A thread of the flusher does a step, while another one pauses the flusher, in the interleavings of a few steps: no
 * step is under way in the pause. Stress does not meet this: the window is a few instructions.
 */
class LincheckFlusherPauseTest {
    /** A step, and a pause. */
    public static final class StepAndPause implements FlusherThreads.Work {
        private static final long NO_TIME = 0; // a thread that finds the pause looks again at once

        private final FlusherThreads threads = new FlusherThreads(this, options(), 1, NO_TIME, NO_TIME);
        private volatile boolean inPause;
        private volatile boolean stepInPause;

        private static PoolOptions options() {
            return new PoolOptions(
                    "",
                    1,
                    1,
                    true,
                    Patience.PATIENCE,
                    "",
                    IllegalStateException::new,
                    Patience.PATIENCE,
                    (what, waited) -> {});
        }

        @Operation(runOnce = true)
        public void flusher() {
            threads.tryEnter(0, Thread.currentThread());
            threads.work(0);
        }

        @Operation(runOnce = true)
        public void pauser() {
            threads.pause();
            inPause = true;
            inPause = false;
            threads.resume();
        }

        @Override
        public boolean step() {
            stepInPause |= inPause;
            return true;
        }

        @Override
        public boolean isLeft() {
            return true;
        }

        @Override
        public int wanted() {
            return 1;
        }

        @Override
        public void onFailure() {
            throw new IllegalStateException("no step fails here");
        }

        @Validate
        public void noStepIsUnderWayInThePause() {
            if (stepInPause) {
                throw new IllegalStateException("a step of the flusher is under way in a pause");
            }
        }
    }

    @Test
    void noStepIsUnderWayInAPause() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(Tier.pick(1_000, 2_000, 20_000))
                .minimizeFailedScenario(false)
                .check(StepAndPause.class);
    }
}
