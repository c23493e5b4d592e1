// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.testing.Tier;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread takes frames past the soft maximum while another one frees some, in the interleavings of a few steps: each
 * free frame is found later. The dangerous frame is freed behind a scan, when the least free number is again the one
 * with which the scan began.
 */
class LincheckGrowthFramesTest {
    /** Three growth frames, of which one is in use. */
    public static final class TakesAndFrees {
        private static final int SOFT = 1;
        private static final int HARD = 4;

        private final FrameStates states = new FrameStates(SOFT);
        private final GrowthFrames growth = new GrowthFrames(states, SOFT, HARD, frames -> {});
        private final int first = growth.take();
        private volatile int second;

        @Operation(runOnce = true)
        public void taker() {
            second = growth.take();
            growth.take();
            growth.take();
        }

        @Operation(runOnce = true)
        public void freer() {
            free(first);
            if (second > 0) {
                free(second);
            }
        }

        private void free(int frame) {
            states.free(frame);
            growth.onFreed(frame);
        }

        @Validate
        public void everyFreeFrameIsFound() {
            while (growth.take() >= 0) {
                // until none is found
            }
            for (int frame = SOFT; frame < HARD; frame++) {
                if (FrameState.isFree(states.state(frame))) {
                    throw new IllegalStateException("a free frame is not found");
                }
            }
        }
    }

    @Tag("ci")
    @Test
    void everyFreeFrameIsFound() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(Tier.pick(8_000, 8_000, 50_000))
                .loopBound(200)
                .minimizeFailedScenario(false)
                .check(TakesAndFrees.class);
    }
}
