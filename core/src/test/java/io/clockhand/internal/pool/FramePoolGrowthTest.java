// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that grows past its soft maximum, and shrinks again. */
class FramePoolGrowthTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final StubContents contents = new StubContents();

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void policyForgetsTheFramesPastTheSoftMaximumThatAreRetired(String name) {
        ReplacementPolicy policy = Policies.create(name, 2);
        FramePool<RuntimeException> pool = new FramePool<>(StubPools.options(2, 100), policy, contents);
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

    @ParameterizedTest
    @MethodSource("policies")
    void poolGrowsWhenAllFramesArePinnedAndShrinksOnLaterMisses(String policy) {
        FramePool<RuntimeException> pool = StubPools.create(policy, 2, 100, contents);
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
            public void clear(int frame) {
                Workers.await(() -> FrameState.isWaited(pools.get(0).state(frame)), "no thread waits");
            }
        };
        FramePool<RuntimeException> pool = new FramePool<>(StubPools.options(1, 2), policy, waitedFor);
        pools.add(pool);
        new StubBinding().load(pool, 1);
        int grown = new StubBinding().load(pool, 2);
        pool.awaitLastPin(grown);
        Workers.Worker<Void> waiter = workers.run(() -> pool.awaitUnclaimed(grown));

        assertThatThrownBy(() -> pool.remove(grown)).hasMessage("onCapacity");

        waiter.result();
        assertThat(FrameState.isFree(pool.state(grown))).isTrue();
    }
}
