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
        StubPool pool = StubPools.create("nb-gclock3", 2, 2, contents);
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);

        assertThat(new StubBinding().load(pool, 3)).isEqualTo(1);

        assertThat(pool.queue.length()).isEqualTo(1);
        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        assertThat(pool.search.declined()).isEqualTo(1);
        assertThat(pool.search.foregroundCleans()).isZero();
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
        StubPool pool = new StubPool(StubPools.options(2, 2), policy, contents);
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);
        pool.queue.use(() -> steps.add(FrameState.isQueued(pool.state(0)) ? "queued" : "not queued"));

        assertThat(new StubBinding().load(pool, 3)).isEqualTo(1);

        assertThat(steps).containsExactly("declined", "queued");
    }

    @Test
    void policyHearsOfACleanFrameWhenItCanBeClaimed() {
        List<String> heard = new ArrayList<>();
        FrameStates[] states = new FrameStates[1];
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("lru", 2)) {
            @Override
            public void onClean(int frame) {
                heard.add(FrameState.isQueued(states[0].state(frame)) ? "too early" : "in time");
                super.onClean(frame);
            }
        };
        StubPool pool = new StubPool(StubPools.options(2, 2), policy, contents);
        states[0] = pool.states();
        pool.unpin(new StubBinding().load(pool, 1));
        pool.states().tryClaim(0);
        pool.states().revoke(0, true);

        pool.pinForDirtyCheck(0);
        pool.endDirtyCheck(0, false);

        assertThat(heard).as("when the policy hears that the frame is clean").containsExactly("in time");
    }

    @Test
    void searchesScanAQueuedFrameOnceAndEvictItWhenItIsClean() {
        int frames = 20;
        StubPool pool = StubPools.create("lru", frames, frames, contents);
        pool.queue.use(() -> {});
        for (int i = 0; i < frames; i++) {
            pool.unpin(new StubBinding().load(pool, i));
        }
        contents.dirty.addAll(List.of(0, 1, 2, 3));
        pool.unpin(new StubBinding().load(pool, 100));
        assertThat(pool.search.declined()).isEqualTo(4);
        pool.unpin(new StubBinding().load(pool, 101)); // meets the last of them in the place where it was declined
        long before = pool.search.framesScanned();

        for (int i = 0; i < 10; i++) {
            pool.unpin(new StubBinding().load(pool, 200 + i));
        }
        assertThat(pool.search.framesScanned() - before).isEqualTo(10);
        write(pool, 1);

        assertThat(new StubBinding().load(pool, 300)).isEqualTo(1);
    }

    @Test
    void frameThatWasInUseKeepsItsPlace() {
        StubPool pool = StubPools.create("lru", 3, 3, contents);
        for (int i = 0; i < 3; i++) {
            pool.unpin(new StubBinding().load(pool, i));
        }
        pool.states().tryPin(0, 0);
        assertThat(new StubBinding().load(pool, 3)).isEqualTo(1);
        pool.unpin(0);

        assertThat(new StubBinding().load(pool, 4)).isZero();
    }

    @Test
    void frameThatIsTakenFromTheQueueWhileItIsInUseIsFoundAgain() {
        StubPool pool = StubPools.create("lru", 3, 3, contents);
        pool.queue.use(() -> {});
        for (int i = 0; i < 3; i++) {
            pool.unpin(new StubBinding().load(pool, i));
        }
        contents.dirty.addAll(List.of(0, 1));
        pool.unpin(new StubBinding().load(pool, 3));
        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        pool.states().tryPin(0, 0);
        pool.unpin(new StubBinding().load(pool, 4)); // meets frame 0, pinned and queued
        contents.dirty.clear();

        pool.pinForDirtyCheck(0);
        pool.endDirtyCheck(0, false);
        pool.pinForDirtyCheck(1);
        pool.endDirtyCheck(1, false);
        pool.unpin(0);

        assertThat(List.of(new StubBinding().load(pool, 5), new StubBinding().load(pool, 6)))
                .containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void frameThatAMissFindsInTheQueueAndInUseIsTheNextVictimLater() {
        StubPool pool = StubPools.create("lru", 3, 3, contents);
        pool.queue.use(() -> {});
        for (int i = 0; i < 3; i++) {
            pool.unpin(new StubBinding().load(pool, i));
        }
        contents.dirty.add(0);
        List<Integer> others = List.of(new StubBinding().load(pool, 3), new StubBinding().load(pool, 4));
        pool.states().tryPin(0, 0);

        assertThatThrownBy(() -> pool.admit(5, new StubBinding())).hasMessageContaining("no other frame became free");
        assertThat(FrameState.isQueued(pool.state(0))).isFalse();
        contents.dirty.clear();
        pool.unpin(0);
        others.forEach(pool::unpin);

        assertThat(new StubBinding().load(pool, 6)).isZero();
    }

    @Test
    void frameThatWasClaimedForMaintenanceAndGivenBackIsFoundAgain() {
        StubPool pool = StubPools.create("lru", 3, 3, contents);
        pool.queue.use(() -> {});
        for (int i = 0; i < 3; i++) {
            pool.unpin(new StubBinding().load(pool, i));
        }
        contents.dirty.add(0);
        pool.unpin(new StubBinding().load(pool, 3));
        pool.unpin(new StubBinding().load(pool, 4));
        contents.dirty.clear();

        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
        pool.revoke(0);

        assertThat(new StubBinding().load(pool, 5)).isZero();
    }

    @Test
    void writeSucceedsAlsoIfThePolicyThrowsThen() {
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("lru", 3)) {
            @Override
            public void onClean(int frame) {
                throw new IllegalStateException("the policy fails");
            }
        };
        StubPool pool = new StubPool(StubPools.options(3, 3), policy, contents);
        pool.queue.use(() -> {});
        for (int i = 0; i < 3; i++) {
            pool.unpin(new StubBinding().load(pool, i));
        }
        contents.dirty.add(0);
        pool.unpin(new StubBinding().load(pool, 3));
        int other = new StubBinding().load(pool, 4);
        int third = new StubBinding().load(pool, 5);

        write(pool, 0);

        assertThat(new StubBinding().load(pool, 6)).isZero();
        pool.unpin(other);
        pool.unpin(third);
    }

    private void write(StubPool pool, int frame) {
        pool.states().tryPin(frame, 0);
        pool.beginWriting(frame);
        contents.clean(frame);
        pool.endWriting(frame);
        pool.unpin(frame);
    }

    @Test
    void missCleansAQueuedVictimItselfWhenNothingElseIsLeft() {
        StubPool pool = StubPools.create("nb-gclock3", 2, 2, contents);
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);
        contents.dirty.add(1);

        pool.unpin(new StubBinding().load(pool, 3));

        assertThat(pool.search.foregroundCleans()).isEqualTo(1);
        assertThat(contents.dirty).hasSize(1);
    }
}
