// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Victims that must be written back first. */
class DirtyVictimTest {
    private final StubContents contents = new StubContents();

    @Test
    void victimThatIsDirtyStaysAndIsQueuedWhenThereIsACleaner() {
        FramePool<RuntimeException> pool = StubPools.create("nb-gclock3", 2, 2, contents);
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
        FramePool<RuntimeException> pool = new FramePool<>(StubPools.options(2, 2), policy, contents);
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

    @Test
    void missCleansAQueuedVictimItselfWhenNothingElseIsLeft() {
        FramePool<RuntimeException> pool = StubPools.create("nb-gclock3", 2, 2, contents);
        pool.writeBackQueue().use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);
        contents.dirty.add(1);

        pool.unpin(new StubBinding().load(pool, 3));

        assertThat(pool.foregroundCleans()).isEqualTo(1);
        assertThat(contents.dirty).hasSize(1);
    }
}
