// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import org.junit.jupiter.api.Test;

/** Which frames are the next victims after their pages were written. */
class CleanedFramesTest {
    private static final int FRAMES = 4;

    private final FrameStates states = new FrameStates(FRAMES, true);
    private final CleanedFrames cleaned = new CleanedFrames(states, FRAMES);

    /** Binds a frame that the caller has claimed, with a weight; {@return its generation} */
    private int bind(int frame, long identity, int weight) {
        states.setIdentity(frame, identity);
        states.publishPinned(frame, weight);
        states.ready(frame);
        states.unpin(frame);
        return FrameState.generation(states.state(frame));
    }

    private int bindFree(int frame, long identity) {
        assertThat(states.tryTakeFree(frame)).isTrue();
        return bind(frame, identity, 1);
    }

    private void hit(int frame, int times) {
        for (int i = 0; i < times; i++) {
            states.tryPin(frame, 3);
            states.unpin(frame);
        }
    }

    @Test
    void framesAreVictimsInTheOrderInWhichTheyWereWritten() {
        for (int frame = 0; frame < 3; frame++) {
            bindFree(frame, 10 + frame);
        }
        for (int frame : new int[] {2, 0, 1}) {
            cleaned.add(frame, FrameState.generation(states.state(frame)));
        }
        assertThat(new int[] {cleaned.poll(), cleaned.poll(), cleaned.poll(), cleaned.poll()})
                .containsExactly(2, 0, 1, CleanedFrames.NONE);
    }

    @Test
    void frameThatHoldsAnotherPageByNowIsPassedOver() {
        int written = bindFree(0, 10);
        int other = bindFree(1, 11);
        assertThat(states.tryClaim(0)).isTrue();
        assertThat(bind(0, 12, 1)).isNotEqualTo(written);
        cleaned.add(0, written);
        cleaned.add(1, other);
        assertThat(cleaned.poll()).as("the frame whose page was written").isEqualTo(1);
        assertThat(cleaned.poll()).isEqualTo(CleanedFrames.NONE);
    }

    /** The ring has the frame once; its entry stands for the page that was written last. */
    @Test
    void frameThatWasBoundAnewAndWrittenAgainIsAVictim() {
        cleaned.add(0, bindFree(0, 10));
        assertThat(states.tryClaim(0)).isTrue();
        cleaned.add(0, bind(0, 12, 1));
        assertThat(cleaned.poll())
                .as("the frame whose second page was written, too")
                .isZero();
        assertThat(cleaned.poll()).isEqualTo(CleanedFrames.NONE);
    }

    @Test
    void frameWithMoreThanTheLastWeightIsPassedOver() {
        for (int frame = 0; frame < 3; frame++) {
            bindFree(frame, 10 + frame);
        }
        hit(0, 1);
        hit(2, 2);
        for (int frame = 0; frame < 3; frame++) {
            cleaned.add(frame, FrameState.generation(states.state(frame)));
        }
        assertThat(cleaned.poll()).as("the frame that was not used since").isEqualTo(1);
        assertThat(cleaned.poll()).isEqualTo(CleanedFrames.NONE);
    }

    @Test
    void frameThatIsDirtyOrQueuedIsPassedOver() {
        for (int frame = 0; frame < 3; frame++) {
            bindFree(frame, 10 + frame);
            cleaned.add(frame, FrameState.generation(states.state(frame)));
        }
        for (int frame = 0; frame < 2; frame++) {
            states.tryPin(frame, 0);
            states.markDirty(frame);
            states.unpin(frame);
        }
        assertThat(states.tryQueueDirty(1)).isTrue();
        assertThat(cleaned.poll()).as("the clean frame").isEqualTo(2);
        assertThat(cleaned.poll()).isEqualTo(CleanedFrames.NONE);
    }
}
