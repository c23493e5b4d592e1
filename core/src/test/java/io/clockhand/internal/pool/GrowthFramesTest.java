// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameLine;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.testing.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The frames past the soft maximum. */
class GrowthFramesTest {
    private static final int SOFT = 1;

    @RegisterExtension
    final Workers workers = new Workers();

    private final FrameStates states = new FrameStates(SOFT);
    private Runnable whenResized = () -> {};
    private final GrowthFrames growth = new GrowthFrames(states, SOFT, SOFT + 40, frames -> whenResized.run());

    private void free(int frame) {
        states.free(frame);
        growth.onFreed(frame);
    }

    @Test
    void framesComeInChunksUpToTheHardMaximum() {
        assertThat(growth.take()).isEqualTo(SOFT);
        assertThat(growth.frames()).isEqualTo(SOFT + GrowthFrames.CHUNK);
        for (int i = 1; i < 40; i++) {
            assertThat(growth.take()).isEqualTo(SOFT + i);
        }

        assertThat(growth.take()).isEqualTo(-1);
        assertThat(growth.frames()).isEqualTo(SOFT + 40);
        assertThat(growth.peak()).isEqualTo(40);
    }

    @Test
    void lastChunkGoesWhenAllOfItIsFree() {
        for (int i = 0; i <= GrowthFrames.CHUNK; i++) {
            growth.take();
        }
        free(SOFT);
        assertThat(growth.frames()).isEqualTo(SOFT + 40);

        free(SOFT + GrowthFrames.CHUNK);

        assertThat(growth.frames()).isEqualTo(SOFT + GrowthFrames.CHUNK);
        for (int i = 1; i < GrowthFrames.CHUNK; i++) {
            free(SOFT + i);
        }
        assertThat(growth.isGrown()).isFalse();
        assertThat(growth.take()).as("and comes back").isEqualTo(SOFT);
    }

    /** A thread that frees a frame while another one has the lock leaves the shrinking to that one. */
    @Test
    void frameThatBecomesFreeDuringAChangeIsNotForgotten() {
        for (int i = 0; i <= GrowthFrames.CHUNK; i++) {
            growth.take();
        }
        for (int i = 1; i < GrowthFrames.CHUNK; i++) {
            free(SOFT + i);
        }
        whenResized = () -> {
            whenResized = () -> {};
            workers.run(() -> free(SOFT)).result();
        };

        free(SOFT + GrowthFrames.CHUNK);

        assertThat(growth.frames()).isEqualTo(SOFT);
    }

    /** The growth leaves a whole chunk free, since another thread frees a frame meanwhile. */
    @Test
    void frameThatIsTakenIsFreeAgainIfTheShrinkingBehindItFails() {
        for (int i = 0; i < GrowthFrames.CHUNK; i++) {
            growth.take();
        }
        whenResized = () -> {
            whenResized = () -> {
                throw new OutOfMemoryError("when it shrinks");
            };
            workers.run(() -> free(SOFT)).result();
        };

        assertThatThrownBy(growth::take).hasMessage("when it shrinks");

        whenResized = () -> {};
        assertThat(growth.take()).isEqualTo(SOFT);
        for (int i = 1; i < 40; i++) {
            growth.take();
        }
        assertThat(growth.peak()).as("the most frames that were in use").isEqualTo(40);
    }

    /** As above, with a thread that waits for the frame, and one that waits for any. */
    @Test
    void frameThatIsFreeAgainIsOfferedToThoseThatWait() {
        List<Workers.Worker<Boolean>> waiters = new ArrayList<>();
        FrameLine.Place place = new FrameLine.Place();
        states.line().enter(place);
        states.line().beginSweep(place);
        states.line().endSweep(place);
        for (int i = 0; i < GrowthFrames.CHUNK; i++) {
            growth.take();
        }
        whenResized = () -> {
            whenResized = () -> {
                waiters.add(workers.start(() -> states.waiters()
                        .await(SOFT, FrameState::isFree, Duration.ofMinutes(2).toNanos())));
                Workers.await(() -> FrameState.isWaited(states.state(SOFT)), "no thread waits for the frame");
                throw new OutOfMemoryError("when it shrinks");
            };
            workers.run(() -> free(SOFT)).result();
        };
        assertThatThrownBy(growth::take).hasMessage("when it shrinks");
        Workers.await(waiters.get(0)::isDone, "the thread that waits for the frame is not woken");
        assertThat(states.line().poll()).as("the frame that is offered").isEqualTo(SOFT);
        states.line().leave(place);
    }

    /** The first chunk comes, the second fails twice. */
    @Test
    void growthThatFailsLosesNoFrameAndLaterGrowthWorks() {
        for (int i = 0; i < GrowthFrames.CHUNK; i++) {
            growth.take();
        }
        whenResized = () -> {
            throw new OutOfMemoryError("when it grows");
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(growth::take).hasMessage("when it grows");
            assertThat(growth.frames()).isEqualTo(SOFT + GrowthFrames.CHUNK);
        }
        free(SOFT + 3);
        assertThat(growth.take()).as("a frame of the first chunk").isEqualTo(SOFT + 3);

        whenResized = () -> {};
        for (int i = GrowthFrames.CHUNK; i < 40; i++) {
            assertThat(growth.take()).isEqualTo(SOFT + i);
        }
        assertThat(growth.take()).isEqualTo(-1);
        assertThat(growth.peak()).isEqualTo(40);
        for (int i = 0; i < 40; i++) {
            free(SOFT + i);
        }
        assertThat(growth.isGrown()).isFalse();
    }

    /** Growth and shrinking fail alike: the frames that go are free, and come back. */
    @Test
    void shrinkingThatFailsLosesNoFrame() {
        for (int i = 0; i <= GrowthFrames.CHUNK; i++) {
            growth.take();
        }
        whenResized = () -> {
            throw new OutOfMemoryError("when it shrinks");
        };
        assertThatThrownBy(() -> free(SOFT + GrowthFrames.CHUNK)).hasMessage("when it shrinks");
        whenResized = () -> {};

        for (int i = GrowthFrames.CHUNK; i < 40; i++) {
            assertThat(growth.take()).isEqualTo(SOFT + i);
        }
        assertThat(growth.take()).isEqualTo(-1);
    }
}
