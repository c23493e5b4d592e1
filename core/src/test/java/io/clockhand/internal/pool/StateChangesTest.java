// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each change of a frame's state wakes the threads that wait for it, and tells the policy what it must know. */
class StateChangesTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final StubContents contents = new StubContents();
    private final List<String> notices = new ArrayList<>();

    private StubPool pool(int frames) {
        List<StubPool> pools = new ArrayList<>();
        PoolOptions options = new PoolOptions(
                "",
                frames,
                frames,
                false,
                Duration.ofMinutes(2),
                "remedy",
                IllegalStateException::new,
                Duration.ofMinutes(2),
                (what, waited) -> {
                    throw new IllegalStateException("waited for " + what);
                });
        StubPool pool = new StubPool(
                options,
                new ForwardingPolicy(Policies.create("lru", frames)) {
                    @Override
                    public void onClean(int frame) {
                        long state = pools.get(0).state(frame);
                        notices.add("clean: frame " + frame + (FrameState.isQueued(state) ? " is queued" : "")
                                + (FrameState.isWriting(state) ? " is written" : "") + ", pins: "
                                + FrameState.pins(state));
                        super.onClean(frame);
                    }

                    @Override
                    public void onRemove(int frame) {
                        notices.add("frame " + frame + " removed");
                        super.onRemove(frame);
                    }
                },
                contents);
        pools.add(pool);
        return pool;
    }

    /** A change of the only frame, and what a thread waits for meanwhile. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Step {
        PAGE_IS_READY(
                pool -> pool.admit(1, new StubBinding()),
                pool -> pool.publish(0, 1, false),
                state -> FrameState.content(state) == FrameState.READY),
        FRAME_IS_GIVEN_UP(
                pool -> pool.admit(1, new StubBinding()),
                pool -> pool.giveUp(0, new StubBinding()),
                FrameState::isFree),
        FRAME_IS_GIVEN_UP_WITH_A_STALE_PIN(
                pool -> pool.states().tryPin(pool.admit(1, new StubBinding()), 0),
                pool -> pool.giveUp(0, new StubBinding()),
                FrameState::isDoomed),
        LAST_STALE_PIN_GOES(
                pool -> {
                    FRAME_IS_GIVEN_UP_WITH_A_STALE_PIN.begin.accept(pool);
                    FRAME_IS_GIVEN_UP_WITH_A_STALE_PIN.change.accept(pool);
                },
                pool -> pool.unpin(0),
                FrameState::isFree),
        ANOTHER_PIN_GOES(
                pool -> pool.states().tryPin(new StubBinding().load(pool, 1), 0),
                pool -> pool.unpin(0),
                state -> FrameState.pins(state) == 1),
        CLAIM_ENDS(
                pool -> {
                    pool.unpin(new StubBinding().load(pool, 1));
                    pool.tryClaimAfterDirtyCheck(0);
                },
                pool -> pool.revoke(0),
                state -> !FrameState.isClaimed(state)),
        CLAIMED_CONTENT_IS_REMOVED(pool -> CLAIM_ENDS.begin.accept(pool), pool -> pool.remove(0), FrameState::isFree),
        CLAIMED_CONTENT_BEGINS_TO_BE_WRITTEN(
                pool -> CLAIM_ENDS.begin.accept(pool), pool -> pool.beginOwnedWriting(0), FrameState::isWriting),
        FRAME_IS_BOUND_ANEW(
                pool -> pool.unpin(new StubBinding().load(pool, 1)),
                pool -> pool.admit(2, new StubBinding()),
                state -> FrameState.generation(state) == 2),
        DIRTY_CHECK_ENDS(
                pool -> {
                    pool.unpin(new StubBinding().load(pool, 1));
                    pool.pinForDirtyCheck(0);
                },
                pool -> pool.endDirtyCheck(0, false),
                state -> !FrameState.isDirtyChecked(state)),
        DIRTY_CHECK_KEEPS_ITS_PIN(
                pool -> DIRTY_CHECK_ENDS.begin.accept(pool),
                pool -> pool.endDirtyCheck(0, true),
                state -> !FrameState.isDirtyChecked(state)),
        WRITE_BACK_ENDS(
                pool -> pool.beginWriting(new StubBinding().load(pool, 1)),
                pool -> pool.endWriting(0),
                state -> !FrameState.isWriting(state)),
        WRITE_BACK_ENDS_WITH_ITS_PIN(
                pool -> WRITE_BACK_ENDS.begin.accept(pool),
                pool -> pool.endWritingAndUnpin(0),
                state -> !FrameState.isWriting(state)),
        PIN_OF_A_WRITE_BACK_GOES(
                pool -> {
                    pool.beginWriting(new StubBinding().load(pool, 1));
                    pool.states().tryPin(0, 0);
                },
                pool -> pool.endWritingAndUnpin(0),
                state -> FrameState.pins(state) == 1);

        private final Consumer<StubPool> begin;
        private final Consumer<StubPool> change;
        private final LongPredicate condition;

        Step(Consumer<StubPool> begin, Consumer<StubPool> change, LongPredicate condition) {
            this.begin = begin;
            this.change = change;
            this.condition = condition;
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void changeWakesWaiters(Step step) {
        StubPool pool = pool(1);
        step.begin.accept(pool);
        assertThat(step.condition.test(pool.state(0))).isFalse();
        Workers.Worker<Boolean> waiter = workers.start(() -> pool.states()
                .waiters()
                .await(0, step.condition, Duration.ofMinutes(2).toNanos()));
        Workers.await(() -> FrameState.isWaited(pool.state(0)), "the thread does not wait");
        waiter.awaitParked();

        step.change.accept(pool);

        Workers.await(waiter::isDone, "a thread that waits for this is not woken: " + step);
        assertThat(waiter.result()).isTrue();
    }

    /** Leaves frame 0 queued, since it was a dirty victim, and pinned. */
    private StubPool poolWithAQueuedFrame() {
        StubPool pool = pool(2);
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.add(0);
        pool.unpin(new StubBinding().load(pool, 3));
        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        contents.dirty.clear();
        notices.clear();
        return pool;
    }

    @Test
    void policyIsToldOfAQueuedFrameThatWasWrittenOnceItIsNeitherQueuedNorPinned() {
        StubPool pool = poolWithAQueuedFrame();
        pool.states().tryPin(0, 0);
        pool.beginWriting(0);
        pool.endWritingAndUnpin(0);
        assertThat(notices).containsExactly("clean: frame 0, pins: 0");
    }

    @Test
    void policyIsToldOfAQueuedFrameWhoseWriteHasEnded() {
        StubPool pool = poolWithAQueuedFrame();
        pool.states().tryPin(0, 0);
        pool.beginWriting(0);
        pool.endWriting(0);
        assertThat(notices).containsExactly("clean: frame 0, pins: 1");
    }

    @Test
    void policyIsToldOfAQueuedFrameThatADirtyCheckHasFoundClean() {
        StubPool pool = poolWithAQueuedFrame();
        pool.pinForDirtyCheck(0);
        pool.endDirtyCheck(0, false);
        assertThat(notices).containsExactly("clean: frame 0, pins: 0");
    }

    @Test
    void policyIsToldOfAQueuedFrameThatWasClaimedForMaintenance() {
        StubPool pool = poolWithAQueuedFrame();
        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
        pool.revoke(0);
        assertThat(notices).containsExactly("clean: frame 0, pins: 0");
    }

    @Test
    void policyIsToldOfAFrameThatLeavesTheQueueAfterItsMarkHasGone() {
        StubPool pool = poolWithAQueuedFrame();
        pool.clearQueued(0);
        assertThat(notices).containsExactly("clean: frame 0, pins: 0");
    }

    /** The thread that ends the claim tests the condition of the waiter, and so looks between its two steps. */
    @Test
    void declinedFrameIsMarkedBeforeACleanerCanFindItInTheQueue() {
        StubPool pool = pool(2);
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        int[] length = {-1};
        boolean[] looks = {false};
        contents.dirty.add(0);
        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
        Workers.Worker<Boolean> waiter = workers.start(() -> pool.states()
                .waiters()
                .await(
                        0,
                        state -> {
                            if (FrameState.isQueued(state) && !looks[0]) {
                                looks[0] = true;
                                length[0] = pool.queue.length();
                            }
                            return looks[0];
                        },
                        Duration.ofMinutes(2).toNanos()));
        Workers.await(() -> FrameState.isWaited(pool.state(0)), "the thread does not wait");
        waiter.awaitParked();
        pool.revoke(0);
        assertThat(waiter.isDone()).isFalse();
        pool.unpin(new StubBinding().load(pool, 3));
        Workers.await(waiter::isDone, "the frame is not queued");
        assertThat(length[0]).as("frames in the queue when the mark is set").isZero();
    }

    @Test
    void policyForgetsAFrameThatAWaitingMissTakesWithoutIt() {
        StubPool pool = pool(1);
        new StubBinding().load(pool, 1);
        Workers.Worker<Integer> miss = workers.start(() -> new StubBinding().load(pool, 2));
        miss.awaitParked();
        notices.clear();
        pool.unpin(0);
        assertThat(miss.result()).isZero();
        assertThat(notices).as("the notices to the policy").containsExactly("frame 0 removed");
    }
}
