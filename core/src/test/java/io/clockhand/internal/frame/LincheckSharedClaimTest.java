// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import io.clockhand.testing.Tier;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A thread marks a clean page as dirty under a share that comes and goes between the two steps of a claim, in the
 * interleavings of a few steps: no dirty page is claimed. Stress does not meet this: the window is a few instructions.
 */
class LincheckSharedClaimTest {
    /** A thread that updates a page, and one that claims its frame. */
    public static final class UpdateAndClaim {
        private final FrameStates states = new FrameStates(1, true);
        private final Latches latches = new Latches(states, 1);
        private final FrameRef reader = new FrameRef(states, latches);
        private boolean claimed;

        public UpdateAndClaim() {
            states.tryTakeFree(0);
            states.setBuffer(0, BufferWord.reserved(0));
            states.setIdentity(0, 0);
            states.publishPinned(0, 0);
            states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(0));
            states.ready(0);
            states.unpin(0);
        }

        @Operation(runOnce = true)
        public void updater() {
            if (reader.acquireShare(0, 0, 0) >= 0) {
                states.markDirty(0);
                reader.endShare();
            }
        }

        @Operation(runOnce = true)
        public void evictor() {
            claimed = states.tryClaim(0);
        }

        @Validate
        public void noDirtyPageIsClaimed() {
            if (claimed && FrameState.isDirty(states.state(0))) {
                throw new IllegalStateException("a dirty page was claimed");
            }
            if (!claimed && latches.isClosed(0)) {
                throw new IllegalStateException("the latch is closed, though the claim was taken back");
            }
        }
    }

    @Test
    void noDirtyPageIsClaimed() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(Tier.pick(200, 2_000, 20_000))
                .minimizeFailedScenario(false)
                .check(UpdateAndClaim.class);
    }
}
