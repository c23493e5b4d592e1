// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** A thread pins a frame by the identity of its content while another one replaces the content. */
class LincheckIdentityTest {
    private static final int INVOCATIONS = 1_000;
    private static final long FIRST = 1;
    private static final long SECOND = 2;

    /** A finder of the first content, and a thread that evicts it. */
    public static final class Meeting {
        private final FrameStates states = new FrameStates(1);
        private volatile boolean gotAnother;

        public Meeting() {
            states.tryTakeFree(0);
            bind(FIRST);
        }

        private void bind(long identity) {
            states.setIdentity(0, identity);
            states.publishPinned(0, 0);
            states.ready(0);
            states.unpin(0);
        }

        @Operation(runOnce = true)
        public void finder() {
            if (states.tryPinReady(0, FIRST, 0)) {
                gotAnother = states.identity(0) != FIRST;
                states.unpin(0);
            }
        }

        @Operation(runOnce = true)
        public void evictor() {
            if (states.tryClaim(0)) {
                bind(SECOND);
            }
        }

        @Validate
        public void pinnedFrameHasTheContentThatWasSought() {
            if (gotAnother) {
                throw new IllegalStateException("the frame was pinned with another content");
            }
        }
    }

    @Test
    void frameIsPinnedWithTheContentThatIsSoughtOrNotAtAll() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(2)
                .invocationsPerIteration(INVOCATIONS)
                .minimizeFailedScenario(false)
                .check(Meeting.class);
    }
}
