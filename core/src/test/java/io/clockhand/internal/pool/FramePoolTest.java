// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The miss protocol step by step, mostly on one thread. */
class FramePoolTest {
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StubContents contents = new StubContents();

    private FramePool<RuntimeException> pool(String policy, int soft, int hard) {
        return pool(policy, soft, hard, contents);
    }

    private static FramePool<RuntimeException> pool(String policy, int soft, int hard, StubContents contents) {
        FramePool<RuntimeException> pool =
                new FramePool<>(options(soft, hard), Policies.create(policy, soft), contents);
        pool.collect(true);
        return pool;
    }

    private static PoolOptions options(int soft, int hard) {
        return new PoolOptions(
                "",
                false,
                soft,
                hard,
                true,
                Duration.ofMillis(5),
                "release holders sooner, or raise hardCapacity",
                IllegalStateException::new,
                LONG_WAIT,
                (what, waited) -> {
                    throw new IllegalStateException("waited for " + what);
                });
    }

    enum Step {
        BIND,
        MAP,
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
            assertThatThrownBy(() -> pool.admit(1, new Failing(step), true)).isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();
        assertThat(new StubBinding().load(pool, 1)).isZero();
    }

    /** A binding that waits, for a buffer, names the page by it. */
    @Test
    void frameHasTheNewIdentityWhenItIsBound() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        List<Long> identities = new ArrayList<>();
        StubBinding binding = new StubBinding() {
            @Override
            public void bind(int frame) {
                identities.add(pool.states().identity(frame));
            }
        };

        pool.unpin(binding.load(pool, 7));
        pool.unpin(binding.load(pool, 8));

        assertThat(identities).containsExactly(7L, 8L);
    }

    @Test
    void identityThatIsNotMappedIsUnmappedAndItsFrameFreed() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
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

        assertThat(pool.admit(1, second, true)).isEqualTo(FramePool.LOST);

        assertThat(unmapped[0]).isZero();
        pool.checkFreeFrames();
    }

    @Test
    void contentWhoseLoadThePolicyCannotRecordIsPublishedAllTheSame() {
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("lru", 1)) {
            @Override
            public void onLoad(int frame, long identity, int generation) {
                throw new OutOfMemoryError("onLoad");
            }
        };
        FramePool<RuntimeException> pool = new FramePool<>(options(1, 1), policy, contents);
        int frame = pool.admit(1, new StubBinding(), true);

        assertThatThrownBy(() -> pool.publish(frame, 1, false)).hasMessage("onLoad");

        assertThat(pool.awaitReady(frame)).isTrue();
        assertThat(FrameState.pins(pool.state(frame))).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void policyThatThrowsAfterItsClaimLeavesNoFrameClaimed(String name) {
        boolean[] fails = {false};
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create(name, 1)) {
            @Override
            public int evict(long identity, Claims claims) {
                int frame = super.evict(identity, claims);
                if (fails[0] && frame != NONE) {
                    throw new OutOfMemoryError("evict");
                }
                return frame;
            }
        };
        FramePool<RuntimeException> pool = new FramePool<>(options(1, 1), policy, contents);
        pool.unpin(new StubBinding().load(pool, 1));
        fails[0] = true;

        assertThatThrownBy(() -> new StubBinding().load(pool, 2)).hasMessage("evict");

        assertThat(FrameState.isClaimed(pool.state(0))).isFalse();
        fails[0] = false;
        assertThat(new StubBinding().load(pool, 2)).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void pinGoesWhenThePolicyCannotRecordTheAccess(String name) {
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create(name, 1)) {
            @Override
            public boolean tracksAccesses() {
                return true;
            }

            @Override
            public void onHit(int frame) {
                throw new OutOfMemoryError("onHit");
            }
        };
        FramePool<RuntimeException> pool = new FramePool<>(options(1, 1), policy, contents);
        int frame = new StubBinding().load(pool, 1);

        assertThatThrownBy(() -> pool.recordAccess(frame, null)).hasMessage("onHit");

        assertThat(FrameState.pins(pool.state(frame))).isZero();
    }

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void errorInADirtyCheckOrAWriteBackOrAnEvictionLosesNoFrame(String policy) {
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
                at("evict");
                super.evictContent(frame);
            }
        };
        FramePool<RuntimeException> pool = pool(policy, 2, 2, hostile);
        for (String step : new String[] {"isDirty", "clean", "evict"}) {
            while (!bothLoaded(pool)) {
                pool.unpin(new StubBinding().load(pool, 1));
            }
            hostile.dirty.add(0);
            hostile.dirty.add(1);
            failing[0] = step;
            assertThatThrownBy(() -> new StubBinding().load(pool, 2)).hasMessage(step);
            failing[0] = "";
            pool.checkFreeFrames();
        }

        for (int i = 0; i < 6; i++) {
            pool.unpin(new StubBinding().load(pool, 3));
        }
        assertThat(bothLoaded(pool)).isTrue();
    }

    private static boolean bothLoaded(FramePool<RuntimeException> pool) {
        return FrameState.content(pool.state(0)) == FrameState.READY
                && FrameState.content(pool.state(1)) == FrameState.READY;
    }

    @Test
    void frameThatIsGivenUpIsFree() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        StubBinding binding = new StubBinding();

        pool.giveUp(pool.admit(1, binding, true), binding);

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
    }

    @Test
    void frameThatIsGivenUpWhileAFinderHasItPinnedIsFreedByTheFinder() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        StubBinding binding = new StubBinding();
        int frame = pool.admit(1, binding, true);
        assertThat(pool.states().tryPin(frame, pool.weightCap())).isNotEqualTo(FrameStates.NOT_PINNED);
        pool.giveUp(frame, binding);
        assertThat(FrameState.isDoomed(pool.state(0))).isTrue();
        assertThat(pool.states().tryPin(0, pool.weightCap())).isEqualTo(FrameStates.NOT_PINNED);
        assertThat(pool.awaitReady(0)).isFalse();

        pool.unpin(0);

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();
    }

    @Test
    void missThatMayNotWaitFindsNoFrameWhenAllArePinned() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        new StubBinding().load(pool, 1);

        assertThat(pool.admit(2, new StubBinding(), false)).isEqualTo(FramePool.NO_FRAME);
    }

    @Test
    void victimThatIsDirtyStaysAndIsQueuedWhenThereIsACleaner() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 2, 2);
        pool.writeBackQueue().use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);

        assertThat(new StubBinding().load(pool, 3)).isEqualTo(1);

        assertThat(pool.writeBackQueue().length()).isEqualTo(1);
        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        assertThat(pool.declined()).isEqualTo(1);
        assertThat(pool.foregroundCleans()).isZero();
    }

    @Test
    void policyTakesADirtyVictimBackBeforeItIsQueued() {
        List<String> steps = new ArrayList<>();
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("lru", 2)) {
            @Override
            public void onDeclined(int frame) {
                steps.add("declined");
                super.onDeclined(frame);
            }
        };
        FramePool<RuntimeException> pool = new FramePool<>(options(2, 2), policy, contents);
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);
        pool.writeBackQueue().use(() -> steps.add(FrameState.isQueued(pool.state(0)) ? "queued" : "not queued"));
        boolean[] claimed = {false};

        new StubBinding() {
            @Override
            public void bind(int frame) {
                claimed[0] = true;
            }
        }.load(pool, 3);

        assertThat(claimed[0]).isTrue();
        assertThat(steps).containsExactly("declined", "queued");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void policyForgetsTheFramesPastTheSoftMaximumThatAreRetired(String name) {
        ReplacementPolicy policy = Policies.create(name, 2);
        FramePool<RuntimeException> pool = new FramePool<>(options(2, 100), policy, contents);
        int[] pinned = new int[50];
        for (int i = 0; i < pinned.length; i++) {
            pinned[i] = new StubBinding().load(pool, i);
        }
        for (int frame : pinned) {
            pool.unpin(frame);
        }
        for (int i = 0; i < 50; i++) {
            pool.unpin(new StubBinding().load(pool, 100 + i));
        }
        assertThat(pool.frames()).isEqualTo(2);

        List<Integer> coldest = new ArrayList<>();
        policy.coldest(100, coldest::add);

        assertThat(coldest).allMatch(frame -> frame < 2);
    }

    @Test
    void missCleansAQueuedVictimItselfWhenNothingElseIsLeft() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 2, 2);
        pool.writeBackQueue().use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);
        contents.dirty.add(1);

        pool.unpin(new StubBinding().load(pool, 3));

        assertThat(pool.foregroundCleans()).isEqualTo(1);
        assertThat(contents.dirty).hasSize(1);
    }

    @Test
    void hitAtTheCapStoresNothingButThePin() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 1, 1);
        pool.unpin(new StubBinding().load(pool, 1));
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
            pinned[i] = new StubBinding().load(pool, i);
        }
        assertThat(pool.frames()).isGreaterThanOrEqualTo(50);
        assertThat(pool.peakFrames()).isEqualTo(50);
        for (int frame : pinned) {
            pool.unpin(frame);
        }

        for (int i = 0; i < 50; i++) {
            pool.unpin(new StubBinding().load(pool, 100 + i));
        }

        assertThat(pool.frames()).isEqualTo(2);
        pool.checkFreeFrames();
    }

    @Test
    void threadThatWaitsForTheEndOfAnEvictionIsWokenEvenIfThePolicyCannotShrink() {
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("lru", 1)) {
            @Override
            public void onCapacity(int frames) {
                if (frames == 1) {
                    throw new OutOfMemoryError("onCapacity");
                }
                super.onCapacity(frames);
            }
        };
        List<FramePool<RuntimeException>> pools = new ArrayList<>();
        StubContents waitedFor = new StubContents() {
            @Override
            public void evictContent(int frame) {
                Workers.await(() -> FrameState.isWaited(pools.get(0).state(frame)), "no thread waits");
            }
        };
        FramePool<RuntimeException> pool = new FramePool<>(options(1, 2), policy, waitedFor);
        pools.add(pool);
        new StubBinding().load(pool, 1);
        int grown = new StubBinding().load(pool, 2);
        pool.awaitLastPin(grown);
        Workers.Worker<Long> waiter = workers.start(() -> {
            long begin = System.nanoTime();
            pool.awaitUnclaimed(grown);
            return System.nanoTime() - begin;
        });

        assertThatThrownBy(() -> pool.remove(grown)).hasMessage("onCapacity");

        assertThat(Duration.ofNanos(waiter.result())).isLessThan(LONG_WAIT);
        assertThat(FrameState.isFree(pool.state(grown))).isTrue();
    }

    @Test
    void exhaustedPoolNamesTheNumberOfPinnedFramesAndTheRemedy() {
        FramePool<RuntimeException> pool = pool("nb-gclock3", 2, 2);
        new StubBinding().load(pool, 1);
        new StubBinding().load(pool, 2);

        assertThatThrownBy(() -> new StubBinding().load(pool, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 of 2 frames are pinned (2 pins; content 0, content 1)")
                .hasMessageContaining("hardCapacity");
    }
}
