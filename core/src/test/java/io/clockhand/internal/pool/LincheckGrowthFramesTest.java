// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameStates;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** A frame past the soft maximum is freed while another thread looks for one, in every interleaving of their steps. */
class LincheckGrowthFramesTest {
    private static final int INVOCATIONS = 300;
    private static final int SOFT = 1;

    private static void freeDuringATake() {
        FrameStates states = new FrameStates(SOFT);
        GrowthFrames growth = new GrowthFrames(states, SOFT, SOFT + 3, frames -> {});
        for (int i = 0; i < 3; i++) {
            growth.take();
        }
        free(states, growth, SOFT);
        growth.take(); // the frames behind it are those that may be free
        Thread other = new Thread(() -> free(states, growth, SOFT + 1));
        other.start();
        int taken = growth.take();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        int found = taken >= 0 ? taken : growth.take();
        if (found != SOFT + 1) {
            throw new AssertionError("the frame that was freed is not found: " + found);
        }
    }

    private static void free(FrameStates states, GrowthFrames growth, int frame) {
        states.free(frame);
        growth.onFreed(frame);
    }

    @Test
    void frameThatIsFreedDuringASearchIsFoundByTheNext() {
        Lincheck.runConcurrentTest(INVOCATIONS, LincheckGrowthFramesTest::freeDuringATake);
    }
}
