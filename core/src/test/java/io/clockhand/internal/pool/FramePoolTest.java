// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.Policies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The miss protocol step by step, on one thread. */
class FramePoolTest {
    private final StubContents contents = new StubContents();

    private FramePool<RuntimeException> pool(String policy, int soft, int hard) {
        return pool(policy, soft, hard, contents);
    }

    private static FramePool<RuntimeException> pool(String policy, int soft, int hard, StubContents contents) {
        PoolOptions options = new PoolOptions(
                "",
                false,
                soft,
                hard,
                true,
                Duration.ofMillis(5),
                "release holders sooner, or raise hardCapacity",
                IllegalStateException::new,
                Duration.ofSeconds(5),
                (what, waited) -> {
                    throw new IllegalStateException("waited for " + what);
                });
        FramePool<RuntimeException> pool = new FramePool<>(options, Policies.create(policy, soft), contents);
        pool.collect(true);
        return pool;
    }

    enum Step {
        BIND,
        MAP,
        LOAD,
        UNMAP
    }

    /** Fails with an error, as when memory runs out, in one step. */
    private static final class Failing extends StubBinding {
        private final Step step;

        Failing(Step step) {
            this.step = step;
        }

        private void at(Step now) {
            if (now == step) {
                throw new OutOfMemoryError("in " + step);
            }
        }

        @Override
        public void bind(int frame) {
            at(Step.BIND);
        }

        @Override
        public boolean map(int frame) {
            at(Step.MAP);
            return true;
        }

        @Override
        public boolean load(int frame) {
            at(Step.LOAD);
            return step != Step.UNMAP;
        }

        @Override
        public void unmap(int frame) {
            at(Step.UNMAP);
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void errorInAnyStepOfAMissLosesNoFrame(Step step) {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pool.miss(1, new Failing(step))).isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();
        assertThat(pool.miss(1, new StubBinding())).isZero();
    }

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void errorWhileAVictimIsAskedOrCleanedOrEmptiedLosesNoFrame(String policy) {
        String[] failing = {""};
        StubContents hostile = new StubContents() {
            private void at(String step) {
                if (failing[0].equals(step)) {
                    throw new OutOfMemoryError(step);
                }
            }

            @Override
            public boolean isDirty(int frame) {
                at("isDirty");
                return super.isDirty(frame);
            }

            @Override
            public void clean(int frame) {
                at("clean");
                super.clean(frame);
            }

            @Override
            public void evictContent(int frame) {
                at("vacate");
                super.evictContent(frame);
            }
        };
        FramePool<RuntimeException> pool = pool(policy, 2, 2, hostile);
        for (String step : new String[] {"isDirty", "clean", "vacate"}) {
            while (!bothLoaded(pool)) {
                pool.unpin(pool.miss(1, new StubBinding()));
            }
            hostile.dirty.add(0);
            hostile.dirty.add(1);
            failing[0] = step;
            assertThatThrownBy(() -> pool.miss(2, new StubBinding())).hasMessage(step);
            failing[0] = "";
            pool.checkFreeFrames();
        }

        for (int i = 0; i < 6; i++) {
            pool.unpin(pool.miss(3, new StubBinding()));
        }
        assertThat(bothLoaded(pool)).isTrue();
    }

    private static boolean bothLoaded(FramePool<RuntimeException> pool) {
        return FrameState.content(pool.state(0)) == FrameState.READY
                && FrameState.content(pool.state(1)) == FrameState.READY;
    }

    @Test
    void contentThatIsAbsentGivesItsFrameBack() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);

        int frame = pool.miss(1, new StubBinding() {
            @Override
            public boolean load(int loading) {
                return false;
            }
        });

        assertThat(frame).isEqualTo(FramePool.ABSENT);
        assertThat(FrameState.isFree(pool.state(0))).isTrue();
    }

    @Test
    void frameThatIsGivenUpWhileAFinderHasItPinnedIsFreedByTheFinder() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        pool.miss(1, new StubBinding() {
            @Override
            public boolean load(int loading) {
                assertThat(pool.states().tryPin(loading, pool.weightCap())).isNotEqualTo(FrameStates.NOT_PINNED);
                return false;
            }
        });
        assertThat(FrameState.isDoomed(pool.state(0))).isTrue();
        assertThat(pool.states().tryPin(0, pool.weightCap())).isEqualTo(FrameStates.NOT_PINNED);
        assertThat(pool.awaitReady(0)).isFalse();

        pool.unpin(0);

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();
    }

    @Test
    void victimThatIsDirtyStaysAndIsQueuedWhenThereIsACleaner() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 2, 2);
        contents.hasCleaner = true;
        pool.unpin(pool.miss(1, new StubBinding()));
        pool.unpin(pool.miss(2, new StubBinding()));
        contents.dirty.add(0);

        assertThat(pool.miss(3, new StubBinding())).isEqualTo(1);

        assertThat(contents.queued).isEqualTo(1);
        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        assertThat(pool.declined()).isEqualTo(1);
        assertThat(pool.foregroundCleans()).isZero();
    }

    @Test
    void missCleansAQueuedVictimItselfWhenNothingElseIsLeft() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 2, 2);
        contents.hasCleaner = true;
        pool.unpin(pool.miss(1, new StubBinding()));
        pool.unpin(pool.miss(2, new StubBinding()));
        contents.dirty.add(0);
        contents.dirty.add(1);

        pool.unpin(pool.miss(3, new StubBinding()));

        assertThat(pool.foregroundCleans()).isEqualTo(1);
        assertThat(contents.dirty).hasSize(1);
    }

    @Test
    void hitAtTheCapStoresNothingButThePin() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        pool.unpin(pool.miss(1, new StubBinding()));
        for (int i = 0; i < 3; i++) {
            pool.states().tryPin(0, pool.weightCap());
            pool.unpin(0);
        }
        long before = pool.state(0);
        assertThat(FrameState.weight(before)).isEqualTo(3);

        assertThat(pool.states().tryPin(0, pool.weightCap())).isEqualTo(before + 1);
        pool.unpin(0);

        assertThat(pool.state(0)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void poolGrowsWhenAllFramesArePinnedAndShrinksOnLaterMisses(String policy) {
        FramePool<RuntimeException> pool = pool(policy, 2, 100);
        int[] pinned = new int[50];
        for (int i = 0; i < pinned.length; i++) {
            pinned[i] = pool.miss(i, new StubBinding());
        }
        assertThat(pool.frames()).isGreaterThanOrEqualTo(50);
        assertThat(pool.peakFrames()).isEqualTo(50);
        for (int frame : pinned) {
            pool.unpin(frame);
        }

        for (int i = 0; i < 50; i++) {
            pool.unpin(pool.miss(100 + i, new StubBinding()));
        }

        assertThat(pool.frames()).isEqualTo(2);
        pool.checkFreeFrames();
    }

    @Test
    void exhaustedPoolSaysHowManyFramesArePinnedAndWhatHelps() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 2, 2);
        pool.miss(1, new StubBinding());
        pool.miss(2, new StubBinding());

        assertThatThrownBy(() -> pool.miss(3, new StubBinding()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 of 2 frames are pinned (2 pins; content 0, content 1)")
                .hasMessageContaining("hardCapacity");
    }
}
