// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameRefTest {
    private static final int FRAME = 3;
    private static final long PAGE = 7;
    private static final int BUFFER = 1;

    private final FrameStates states = new FrameStates(8, true);
    private final Latches latches = new Latches(states, 8);
    private final FrameRef ref = new FrameRef(states, latches);

    @BeforeEach
    void loadPage() {
        states.tryTakeFree(FRAME);
        states.setIdentity(FRAME, PAGE);
        states.setBuffer(FRAME, BufferWord.loaded(BUFFER));
        states.publishPinned(FRAME, 1);
        states.ready(FRAME);
        states.unpin(FRAME);
    }

    @Test
    void readIsInvalidWhileAWriterHasTheLatch() {
        assertThat(ref.begin(FRAME, PAGE)).isTrue();
        assertThat(ref.isUnchanged()).isTrue();
        latches.tryExclusive(FRAME);

        assertThat(ref.isUnchanged())
                .as("a read is valid while a writer has the latch")
                .isFalse();
        assertThat(ref.begin(FRAME, PAGE)).isFalse();

        latches.releaseExclusive(FRAME);
    }

    @Test
    void readIsInvalidWhileTheFrameIsClaimedAndAfterwards() {
        assertThat(ref.begin(FRAME, PAGE)).isTrue();
        states.tryClaim(FRAME);

        assertThat(ref.isUnchanged()).isFalse();
        assertThat(ref.tryShare()).isFalse();
        states.revoke(FRAME, false);
        assertThat(ref.isUnchanged()).as("a read is valid after a claim").isFalse();
        assertThat(ref.tryShare()).as("a share of a read before a claim").isFalse();

        assertThat(ref.begin(FRAME, PAGE)).isTrue();
    }

    @Test
    void shareHoldsThePageInItsFrame() {
        ref.begin(FRAME, PAGE);
        assertThat(ref.tryShare()).isTrue();

        assertThat(states.tryClaim(FRAME)).isFalse();

        ref.endShare();
        assertThat(states.tryClaim(FRAME)).isTrue();
    }

    @Test
    void accessAddsToTheWeightUpToTheCap() {
        for (int i = 0; i < 100; i++) {
            assertThat(ref.begin(FRAME, PAGE, 3)).isTrue();
        }
        assertThat(ref.begin(FRAME, PAGE + 1, 4)).isFalse();

        assertThat(FrameState.weight(states.state(FRAME)))
                .as("weight after 100 hits, with a cap of 3")
                .isEqualTo(3);
        assertThat(FrameState.isClaimed(states.state(FRAME))).isFalse();
    }

    @Test
    void oneStepFindsThePageAndAcquiresAShare() {
        assertThat(ref.acquireShare(FRAME, PAGE + 1, 3)).as("another page").isNegative();
        assertThat(states.sharers(FRAME)).isZero();

        assertThat(ref.acquireShare(FRAME, PAGE, 3)).isEqualTo(BUFFER);
        assertThat(ref.frame()).isEqualTo(FRAME);
        assertThat(ref.buffer()).isEqualTo(BUFFER);
        assertThat(states.sharers(FRAME)).isEqualTo(1);
        assertThat(FrameState.weight(states.state(FRAME))).isEqualTo(2);

        FrameRef other = new FrameRef(states, latches);
        assertThat(other.acquireShare(FRAME, PAGE, 0)).as("a second reader").isEqualTo(BUFFER);
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        other.endShare();
        ref.endShare();
        assertThat(states.sharers(FRAME)).isZero();

        assertThat(latches.tryExclusive(FRAME)).isTrue();
        assertThat(ref.acquireShare(FRAME, PAGE, 0)).as("while a thread writes").isNegative();
        latches.releaseExclusive(FRAME);
        assertThat(states.tryClaim(FRAME)).isTrue();
        assertThat(ref.acquireShare(FRAME, PAGE, 0))
                .as("while the frame is claimed")
                .isNegative();
    }

    @Test
    void releaseWithoutAShareIsRefusedAndChangesNothing() {
        assertThat(ref.acquireShare(FRAME, PAGE, 0)).isEqualTo(BUFFER);
        ref.endShare();
        long before = states.latch(FRAME);
        assertThatThrownBy(() -> ref.endShare()).isInstanceOf(IllegalStateException.class);
        assertThat(states.latch(FRAME)).isEqualTo(before);
    }
}
