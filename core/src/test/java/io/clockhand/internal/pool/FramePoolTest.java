// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.cache.StubPools;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import org.junit.jupiter.api.Test;

/** The miss protocol step by step, on one thread. */
class FramePoolTest {
    private final StubContents contents = new StubContents();

    @Test
    void identityThatIsNotMappedIsUnmappedAndItsFrameFreed() {
        StubPool pool = StubPools.create("nb-gclock3", 1, 1, contents);
        int[] unmapped = {-1};
        StubBinding second = new StubBinding() {
            @Override
            public boolean map(int frame) {
                return false;
            }

            @Override
            public void unmap(int frame) {
                unmapped[0] = frame;
            }
        };

        assertThat(pool.admit(1, second)).isEqualTo(FramePool.LOST);

        assertThat(unmapped[0]).isZero();
        pool.checkFreeFrames();
    }

    @Test
    void frameThatIsGivenUpIsFree() {
        StubPool pool = StubPools.create("nb-gclock3", 1, 1, contents);
        StubBinding binding = new StubBinding();

        pool.giveUp(pool.admit(1, binding), binding);

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
    }

    @Test
    void frameThatIsGivenUpWhileAFinderHasItPinnedIsFreedByTheFinder() {
        StubPool pool = StubPools.create("nb-gclock3", 1, 1, contents);
        StubBinding binding = new StubBinding();
        int frame = pool.admit(1, binding);
        assertThat(pool.states().tryPin(frame, pool.frames.weightCap())).isNotEqualTo(FrameStates.NOT_PINNED);
        pool.giveUp(frame, binding);
        assertThat(FrameState.isDoomed(pool.state(0))).isTrue();
        assertThat(pool.states().tryPin(0, pool.frames.weightCap())).isEqualTo(FrameStates.NOT_PINNED);
        assertThat(pool.awaitReady(0)).isFalse();

        pool.unpin(0);

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();
    }

    @Test
    void hitAtTheCapStoresNothingButThePin() {
        StubPool pool = StubPools.create("nb-gclock3", 1, 1, contents);
        pool.unpin(new StubBinding().load(pool, 1));
        for (int i = 0; i < 3; i++) {
            pool.states().tryPin(0, pool.frames.weightCap());
            pool.unpin(0);
        }
        long before = pool.state(0);
        assertThat(FrameState.weight(before)).isEqualTo(3);

        assertThat(pool.states().tryPin(0, pool.frames.weightCap())).isEqualTo(before + 1);
        pool.unpin(0);

        assertThat(pool.state(0)).isEqualTo(before);
    }

    @Test
    void exhaustedPoolNamesTheNumberOfPinnedFramesAndTheRemedy() {
        StubPool pool = StubPools.create("nb-gclock3", 2, 2, contents);
        new StubBinding().load(pool, 1);
        new StubBinding().load(pool, 2);

        assertThatThrownBy(() -> new StubBinding().load(pool, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 of 2 frames are pinned (2 pins; content 0, content 1)")
                .hasMessageContaining("hardCapacity");
    }
}
