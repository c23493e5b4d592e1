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
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that grows past its soft maximum, and shrinks again. */
class FramePoolGrowthTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private boolean mayCleanHere = true;

    private final StubContents contents = new StubContents() {
        @Override
        public boolean mayCleanHere() {
            return mayCleanHere;
        }
    };

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void policyForgetsTheGrowthFramesThatAreRetired(String name) {
        ReplacementPolicy policy = Policies.create(name, 2);
        StubPool pool = new StubPool(StubPools.options(2, 100), policy, contents);
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
        assertThat(pool.frames.frames()).isEqualTo(2);

        List<Integer> coldest = new ArrayList<>();
        policy.coldest(100, coldest::add);

        assertThat(coldest).as("frames that the policy has").allMatch(frame -> frame < 2);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void poolGrowsWhenAllFramesArePinnedAndShrinksOnLaterMisses(String policy) {
        StubPool pool = StubPools.create(policy, 2, 100, contents);
        int[] pinned = new int[50];
        for (int i = 0; i < pinned.length; i++) {
            pinned[i] = new StubBinding().load(pool, i);
        }
        assertThat(pool.frames.frames()).isGreaterThanOrEqualTo(50);
        assertThat(pool.frames.peakFrames()).isEqualTo(50);
        for (int frame : pinned) {
            pool.unpin(frame);
        }

        for (int i = 0; i < 50; i++) {
            pool.unpin(new StubBinding().load(pool, 100 + i));
        }

        assertThat(pool.frames.frames()).isEqualTo(2);
        pool.checkFreeFrames();
    }

    /** Leaves a pool grown far past its soft maximum, without pins and with all contents dirty. */
    private StubPool grownPool(int frames) {
        StubPool pool = StubPools.create("nb-gclock3", 2, 2 * frames, contents);
        int[] pinned = new int[frames];
        for (int i = 0; i < pinned.length; i++) {
            pinned[i] = new StubBinding().load(pool, i);
        }
        for (int frame : pinned) {
            pool.unpin(frame);
            contents.dirty.add(frame);
        }
        return pool;
    }

    private static long claimed(StubPool pool) {
        return IntStream.range(0, pool.frames.frames())
                .mapToLong(pool::state)
                .filter(state -> FrameState.isClaimed(state) && !FrameState.isFree(state))
                .count();
    }

    /** And perhaps its victim. */
    @Test
    void missWithoutACleanerWritesAtMostOneOfTheFramesThatItRetires() {
        StubPool pool = grownPool(50);
        int most = 0;
        for (int i = 0; i < 20; i++) {
            int before = contents.dirty.size();
            pool.unpin(new StubBinding().load(pool, 100 + i));
            most = Math.max(most, before - contents.dirty.size());
            assertThat(claimed(pool)).as("frames that stay claimed").isZero();
        }
        assertThat(most).as("the most contents that a miss has written").isEqualTo(2);
    }

    @Test
    void failureToTellWhetherAFrameIsDirtyLeavesItAsItWas() {
        boolean[] fails = {false};
        StubContents failing = new StubContents() {
            @Override
            public boolean isDirty(int frame) {
                if (fails[0] && frame >= 2) {
                    throw new UnsupportedOperationException("dirty?");
                }
                return super.isDirty(frame);
            }
        };
        StubPool pool = StubPools.create("nb-gclock3", 2, 100, failing);
        int[] pinned = {
            new StubBinding().load(pool, 1), new StubBinding().load(pool, 2), new StubBinding().load(pool, 3)
        };
        pool.unpin(pinned[2]);
        fails[0] = true;
        for (int i = 0; i < 40; i++) { // until it is the frame's turn
            try {
                pool.unpin(new StubBinding().load(pool, 100 + i));
            } catch (UnsupportedOperationException e) {
                assertThat(e).hasMessage("dirty?");
            }
        }
        fails[0] = false;
        assertThat(claimed(pool)).as("frames that stay claimed").isZero();
    }

    /** The queue has fewer cells than there are frames past the soft maximum. */
    @Test
    void cleanerFindsEachFrameThatWasMarkedThoughTheQueueWasFull() {
        AtomicInteger nudges = new AtomicInteger();
        StubPool pool = grownPool(500);
        pool.queue.use(nudges::incrementAndGet);
        mayCleanHere = false;
        for (int i = 0; i < 20; i++) {
            pool.admit(1_000 + i, new StubBinding());
        }
        Set<Integer> marked = new TreeSet<>();
        for (int frame = 0; frame < pool.frames.frames(); frame++) {
            if (FrameState.isQueued(pool.state(frame))) {
                marked.add(frame);
            }
        }
        assertThat(marked.size() - pool.queue.length())
                .as("frames that have found no cell")
                .isPositive();
        Set<Integer> polled = new TreeSet<>();
        int cells = pool.queue.length();
        for (int i = 0; i < cells; i++) {
            polled.add(pool.queue.poll());
        }
        nudges.set(0);
        for (int frame = pool.queue.poll(); frame != WriteBackQueue.NONE; frame = pool.queue.poll()) {
            polled.add(frame);
            write(pool, frame);
        }
        assertThat(polled).as("frames that the cleaner finds").containsAll(marked);
        assertThat(nudges).as("how often other cleaners are notified of those").hasPositiveValue();
    }

    private void write(StubPool pool, int frame) {
        pool.states().tryPin(frame, 0);
        pool.beginWriting(frame);
        contents.clean(frame);
        pool.endWriting(frame);
        pool.unpin(frame);
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
        List<StubPool> pools = new ArrayList<>();
        StubContents waitedFor = new StubContents() {
            @Override
            public void clear(int frame) {
                Workers.await(() -> FrameState.isWaited(pools.get(0).state(frame)), "no thread waits");
            }
        };
        StubPool pool = new StubPool(StubPools.options(1, 2), policy, waitedFor);
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
