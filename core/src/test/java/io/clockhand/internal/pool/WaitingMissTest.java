// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.internal.frame.FrameLine.Place;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each event that makes a frame available serves a miss that waits for one, at once. */
class WaitingMissTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StubContents contents = new StubContents();

    private StubPool pool(int frames, Duration exhaustedAfter) {
        return pool(frames, exhaustedAfter, contents);
    }

    private static StubPool pool(int frames, Duration exhaustedAfter, StubContents contents) {
        ReplacementPolicy policy = Policies.create("nb-gclock3", frames);
        return new StubPool(options(frames, frames, false, exhaustedAfter), policy, contents);
    }

    private static PoolOptions options(int soft, int hard, boolean foregroundCleaning, Duration exhaustedAfter) {
        return new PoolOptions(
                "",
                soft,
                hard,
                foregroundCleaning,
                exhaustedAfter,
                "remedy",
                IllegalStateException::new,
                LONG,
                (w, d) -> {
                    throw new IllegalStateException("waited for " + w);
                });
    }

    private Worker<Integer> missOf(StubPool pool, long identity) {
        Worker<Integer> miss = workers.start(() -> new StubBinding().load(pool, identity));
        miss.awaitParked();
        return miss;
    }

    /** A use of the only frame, and the end of the use. */
    enum Use {
        PIN {
            @Override
            void begin(StubPool pool) {
                new StubBinding().load(pool, 1);
            }

            @Override
            void end(StubPool pool) {
                pool.unpin(0);
            }
        },
        LOAD_THAT_FAILS {
            @Override
            void begin(StubPool pool) {
                pool.admit(1, new StubBinding());
            }

            @Override
            void end(StubPool pool) {
                pool.giveUp(0, new StubBinding());
            }
        },
        STALE_PIN {
            @Override
            void begin(StubPool pool) {
                pool.admit(1, new StubBinding());
                pool.states().tryPin(0, 0);
                pool.giveUp(0, new StubBinding());
            }

            @Override
            void end(StubPool pool) {
                pool.unpin(0);
            }
        },
        CLAIM_THAT_IS_REVOKED {
            @Override
            void begin(StubPool pool) {
                pool.unpin(new StubBinding().load(pool, 1));
                assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
            }

            @Override
            void end(StubPool pool) {
                pool.revoke(0);
            }
        },
        REMOVAL {
            @Override
            void begin(StubPool pool) {
                CLAIM_THAT_IS_REVOKED.begin(pool);
            }

            @Override
            void end(StubPool pool) {
                pool.remove(0);
            }
        },
        DIRTY_CHECK {
            @Override
            void begin(StubPool pool) {
                pool.unpin(new StubBinding().load(pool, 1));
                pool.pinForDirtyCheck(0);
            }

            @Override
            void end(StubPool pool) {
                pool.endDirtyCheck(0, false);
            }
        };

        abstract void begin(StubPool pool);

        abstract void end(StubPool pool);
    }

    @ParameterizedTest
    @EnumSource(Use.class)
    void endOfAUseServesAWaitingMissAtOnce(Use use) {
        StubPool pool = pool(1, LONG);
        use.begin(pool);
        Worker<Integer> miss = missOf(pool, 2);

        use.end(pool);

        assertThat(miss.result()).isZero();
        pool.unpin(0);
        assertThat(pool.states().isFrameWanted()).isFalse();
    }

    @Test
    void writeBackServesAWaitingMissAtOnce() {
        StubPool pool = pool(1, LONG);
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        contents.dirty.add(0);
        Worker<Integer> miss = missOf(pool, 2);
        assertThat(pool.queue.poll()).isZero();

        pool.pinForDirtyCheck(0);
        pool.endDirtyCheck(0, true);
        pool.beginWriting(0);
        contents.clean(0);
        pool.endWriting(0);
        pool.unpin(0);

        assertThat(miss.result()).isZero();
        pool.unpin(0);
    }

    /** A miss has queued the dirty frame. The cleaner takes it out of the queue, and need not write it. */
    @Test
    void frameWhoseMarkOfTheQueueGoesServesAWaitingMiss() {
        StubPool pool = pool(1, Duration.ofMinutes(2));
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        contents.dirty.add(0);
        Worker<Integer> miss = missOf(pool, 2);
        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        contents.dirty.clear();

        assertThat(pool.queue.poll()).isZero();
        pool.clearQueued(0);

        Workers.await(miss::isDone, "the miss that waits for any frame is not woken as the mark of the queue goes");
        assertThat(miss.result()).isZero();
        pool.unpin(0);
    }

    @Test
    void framesThatAreFreedTogetherServeAllWaitingMisses() {
        int rounds = Tier.pick(30, 200, 5_000);
        for (int round = 0; round < rounds; round++) {
            StubPool pool = pool(2, LONG);
            pool.admit(1, new StubBinding());
            pool.admit(2, new StubBinding());
            Worker<Integer> first = missOf(pool, 3);
            Worker<Integer> second = missOf(pool, 4);

            pool.giveUp(0, new StubBinding());
            pool.giveUp(1, new StubBinding());

            assertThat(Set.of(first.result(), second.result())).isEqualTo(Set.of(0, 1));
        }
    }

    /**
     * The first miss is woken for frame 0, and takes frame 1, which another thread has just freed and not offered yet.
     * That thread then finds frame 1 taken; so the first miss must offer frame 0 to the second one.
     */
    @Test
    void missThatTakesAnotherFrameThanItsOwnOffersItsOwnToTheNext() {
        StubPool pool = pool(2, LONG);
        pool.admit(1, new StubBinding());
        pool.admit(2, new StubBinding());
        CountDownLatch frame1IsFree = new CountDownLatch(1);
        CountDownLatch frame1IsTaken = new CountDownLatch(1);
        Worker<Integer> first = workers.start(() -> {
            int frame = new StubBinding() {
                @Override
                public boolean isMapped(long identity) { // asked for when the thread was woken
                    awaitUninterruptibly(frame1IsFree);
                    return false;
                }
            }.load(pool, 3);
            frame1IsTaken.countDown();
            return frame;
        });
        first.awaitParked();
        Worker<Integer> second = missOf(pool, 4);
        Worker<Boolean> betweenFreeingAndOffering = workers.start(() -> pool.states()
                .waiters()
                .await(
                        1,
                        state -> {
                            if (!FrameState.isFree(state)) {
                                return false;
                            }
                            frame1IsFree.countDown();
                            awaitUninterruptibly(frame1IsTaken);
                            return true;
                        },
                        LONG.toNanos()));
        betweenFreeingAndOffering.awaitParked();

        pool.giveUp(0, new StubBinding());
        pool.giveUp(1, new StubBinding());

        assertThat(first.result()).isEqualTo(1);
        assertThat(second.result()).isZero();
        assertThat(betweenFreeingAndOffering.result()).isTrue();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void missWhoseWriteBackFailsLeavesTheFrameToTheNext() {
        AtomicBoolean fails = new AtomicBoolean(true);
        StubContents failing = new StubContents() {
            @Override
            public void clean(int frame) {
                if (fails.getAndSet(false)) {
                    throw new UnsupportedOperationException("the disk is full");
                }
                super.clean(frame);
            }
        };
        StubPool pool = pool(1, LONG, failing);
        new StubBinding().load(pool, 1);
        failing.dirty.add(0);
        Worker<Integer> first = workers.start(() -> new StubBinding().load(pool, 2));
        first.awaitParked();
        Worker<Integer> second = missOf(pool, 3);

        pool.unpin(0);

        assertThat(first.failure()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(second.result()).isZero();
    }

    /** The frame is free, but past the soft maximum: to take it, the first miss must let the pool grow. */
    @Test
    void missForWhichThePoolCannotGrowLeavesTheFrameToTheNext() {
        AtomicInteger fails = new AtomicInteger();
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("nb-gclock3", 1)) {
            @Override
            public void onCapacity(int frames) {
                if (frames == 2 && fails.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("while the pool grows");
                }
                super.onCapacity(frames);
            }
        };
        StubPool pool = new StubPool(options(1, 2, false, LONG), policy, contents);
        pool.admit(1, new StubBinding());
        pool.admit(2, new StubBinding());
        Worker<Integer> first = missOf(pool, 3);
        Worker<Integer> second = missOf(pool, 4);
        fails.set(1);

        pool.giveUp(1, new StubBinding());

        assertThat(first.failure()).isInstanceOf(OutOfMemoryError.class);
        assertThat(second.result()).isEqualTo(1);
        pool.checkFreeFrames();
    }

    @Test
    void missWhoseVictimIsQueuedWhenItFailsLeavesTheVictimToTheNext() {
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("nb-gclock3", 1)) {
            @Override
            public void onDeclined(int frame) {
                throw new UnsupportedOperationException("not declined");
            }
        };
        StubPool pool = new StubPool(options(1, 1, true, LONG), policy, contents);
        pool.queue.use(() -> {});
        new StubBinding().load(pool, 1);
        contents.dirty.add(0);
        Worker<Integer> first = missOf(pool, 2);
        Worker<Integer> second = missOf(pool, 3);

        pool.unpin(0);

        assertThat(first.failure()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(second.result()).as("written back by the miss").isZero();
    }

    @Test
    void missForWhichThePolicyCannotForgetTheFrameLeavesItToTheNext() {
        AtomicInteger fails = new AtomicInteger(1);
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("nb-gclock3", 1)) {
            @Override
            public void onRemove(int frame) {
                if (fails.getAndDecrement() > 0) {
                    throw new UnsupportedOperationException("not removed");
                }
                super.onRemove(frame);
            }
        };
        StubPool pool = new StubPool(options(1, 1, true, Duration.ofMinutes(2)), policy, contents);
        new StubBinding().load(pool, 1);
        Worker<Integer> first = missOf(pool, 2);
        Worker<Integer> second = missOf(pool, 3);

        pool.unpin(0);

        assertThat(first.failure()).isInstanceOf(UnsupportedOperationException.class);
        Workers.await(second::isDone, "the second miss is not served with the frame that the first one has left");
        assertThat(second.result()).isZero();
    }

    @Test
    void missThatIsOutOfTimeUsesTheContentThatWasLoadedMeanwhile() {
        StubPool pool = pool(1, Duration.ofMillis(20));
        new StubBinding().load(pool, 1);
        StubBinding loadedMeanwhile = new StubBinding() {
            @Override
            public boolean isMapped(long identity) {
                return true;
            }
        };

        assertThat(pool.admit(2, loadedMeanwhile)).isEqualTo(FramePool.LOST);
    }

    @Test
    void missThatWaitsForTheCleanerWritesItselfWhenThereIsNoneAnyMore() {
        StubPool pool = pool(1, LONG);
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        contents.dirty.add(0);
        Worker<Integer> miss = missOf(pool, 2);

        pool.queue.use(null);

        assertThat(miss.result()).isZero();
        pool.unpin(0);
    }

    @Test
    void exhaustedPoolWhoseFramesAreDirtySaysSo() {
        StubPool pool = pool(2, Duration.ofMillis(20));
        pool.queue.use(() -> {});
        pool.unpin(new StubBinding().load(pool, 1));
        pool.unpin(new StubBinding().load(pool, 2));
        contents.dirty.addAll(Set.of(0, 1));

        assertThatThrownBy(() -> new StubBinding().load(pool, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0 of 2 frames are pinned, 2 are dirty and wait for the cleaner")
                .hasMessageContaining("write dirty contents back sooner");
    }

    @Test
    void missWhoseContentWasLoadedMeanwhileEvictsNothingAndLeavesTheFrameToTheNext() {
        StubPool pool = pool(1, LONG);
        new StubBinding().load(pool, 1);
        StubBinding second = new StubBinding() {
            @Override
            public boolean isMapped(long identity) {
                return true;
            }
        };
        Worker<Integer> lost = workers.start(() -> pool.admit(2, second));
        lost.awaitParked();
        Worker<Integer> miss = missOf(pool, 3);

        pool.unpin(0);

        assertThat(lost.result()).isEqualTo(FramePool.LOST);
        assertThat(miss.result()).isZero();
        assertThat(pool.search.evictions()).isOne();
        pool.unpin(0);
    }

    @Test
    void missDoesNotPassThoseThatWait() {
        StubPool pool = pool(1, LONG);
        new StubBinding().load(pool, 1);
        List<Worker<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(missOf(pool, 2 + i));
        }

        for (Worker<Integer> miss : waiting) {
            assertThat(miss.isDone()).isFalse();
            pool.unpin(0);
            assertThat(miss.result()).isZero();
        }

        pool.unpin(0);
    }

    @Test
    void missThatGivesUpLeavesTheLineToOthers() {
        StubPool pool = pool(1, Duration.ofMillis(20));
        new StubBinding().load(pool, 1);
        Worker<Integer> first = workers.start(() -> new StubBinding().load(pool, 2));
        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(pool.states().isFrameWanted())
                .as("a thread is left in the line")
                .isFalse();
        Place second = new Place();
        assertThat(pool.states().line().enter(second)).as("alone in the line").isTrue();
        pool.states().line().beginSweep(second);
        pool.states().line().endSweep(second);

        pool.unpin(0);

        assertThat(second.getAsBoolean()).as("woken").isTrue();
        pool.states().line().leave(second);
        assertThat(pool.states().isFrameWanted()).isFalse();
    }
}
