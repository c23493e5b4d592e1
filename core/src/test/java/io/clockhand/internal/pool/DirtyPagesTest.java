// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dirty pages that a search for a victim passes, or that nobody uses any more while a miss waits for a frame. */
class DirtyPagesTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final AtomicInteger nudges = new AtomicInteger();
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private final List<FramePool<RuntimeException>> pools = new ArrayList<>();
    private final StubContents contents = new StubContents() {
        @Override
        public boolean writeQueued() {
            return write(pools.get(0), pools.get(0).pollQueued());
        }
    };

    private FramePool<RuntimeException> pool(int frames) {
        PoolOptions options = new PoolOptions(
                "",
                true,
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
        pools.add(new FramePool<>(
                options,
                new ForwardingPolicy(Policies.create("nb-gclock3", frames)) {
                    @Override
                    public void onRemove(int frame) {
                        notices.add("frame " + frame + " removed");
                        super.onRemove(frame);
                    }
                },
                contents));
        return pools.get(0);
    }

    private static boolean write(FramePool<RuntimeException> pool, int frame) {
        if (frame == WriteBackQueue.NONE || !pool.states().tryPinToWrite(frame)) {
            return false;
        }
        pool.states().clearDirty(frame);
        pool.endWritingAndUnpin(frame);
        return true;
    }

    @Test
    void cleanerIsToldOfPagesThatASearchHasPassed() {
        FramePool<RuntimeException> pool = pool(2);
        pool.useCleaner(nudges::incrementAndGet);
        pool.states().markDirty(new StubBinding().load(pool, 1));
        pool.unpin(0);
        pool.unpin(new StubBinding().load(pool, 2));

        assertThat(new StubBinding().load(pool, 3)).isEqualTo(1);

        assertThat(FrameState.isQueued(pool.state(0))).isTrue();
        assertThat(pool.writeBackQueue().length()).isOne();
        assertThat(nudges).as("how often the cleaner is notified").hasPositiveValue();
    }

    @Test
    void policyForgetsAFrameThatWasCleanedForAMissAndIsTakenWithoutIt() {
        FramePool<RuntimeException> pool = pool(2);
        pool.useCleaner(nudges::incrementAndGet);
        pool.states().markDirty(new StubBinding().load(pool, 1));
        pool.unpin(0);
        pool.unpin(new StubBinding().load(pool, 2));
        pool.unpin(new StubBinding().load(pool, 3));
        notices.clear();
        assertThat(contents.writeQueued()).isTrue();

        assertThat(new StubBinding().load(pool, 4))
                .as("the frame that was cleaned")
                .isZero();

        assertThat(notices).as("the notices to the policy").containsExactly("frame 0 removed");
    }

    /** Without a cleaner the miss writes the page itself. */
    @Test
    void dirtyPageThatNobodyUsesAnyMoreServesAWaitingMiss() {
        FramePool<RuntimeException> pool = pool(1);
        pool.states().markDirty(new StubBinding().load(pool, 1));
        Workers.Worker<Integer> miss = workers.start(() -> new StubBinding().load(pool, 2));
        miss.awaitParked();

        pool.unpin(0);

        Workers.await(miss::isDone, "a miss that could write the dirty page is not woken");
        assertThat(miss.result()).isZero();
    }

    @Test
    void cleanerIsToldOfADirtyPageForWhichAMissWaits() {
        FramePool<RuntimeException> pool = pool(1);
        pool.useCleaner(nudges::incrementAndGet);
        pool.states().markDirty(new StubBinding().load(pool, 1));
        Workers.Worker<Integer> miss = workers.start(() -> new StubBinding().load(pool, 2));
        miss.awaitParked();
        nudges.set(0);

        pool.unpin(0);

        assertThat(nudges).as("how often the cleaner is notified").hasPositiveValue();
        Workers.await(() -> miss.isDone() || write(pool, pool.pollQueued()), "the page is not in the queue");
        Workers.await(miss::isDone, "a miss that waits for the dirty page is not woken by its write");
        assertThat(miss.result()).isZero();
    }

    /** Another thread uses the page again at once that the first write has cleaned. */
    @Test
    void missWritesPagesUntilItFindsAFrame() {
        AtomicInteger writes = new AtomicInteger();
        StubContents busy = new StubContents() {
            @Override
            public boolean writeQueued() {
                if (writes.incrementAndGet() == 3) {
                    pools.get(0).unpin(0);
                }
                return true;
            }
        };
        PoolOptions options = new PoolOptions(
                "",
                false,
                1,
                1,
                false,
                Duration.ofMinutes(2),
                "remedy",
                IllegalStateException::new,
                Duration.ofMinutes(2),
                (what, waited) -> {
                    throw new IllegalStateException("waited for " + what);
                });
        FramePool<RuntimeException> pool = new FramePool<>(options, Policies.create("nb-gclock3", 1), busy);
        pools.add(pool);
        new StubBinding().load(pool, 1);
        Workers.Worker<Integer> miss = workers.start(() -> new StubBinding().load(pool, 2));
        Workers.await(miss::isDone, "a miss that could write more pages waits");
        assertThat(miss.result()).isZero();
        assertThat(writes).hasValue(3);
    }

    /** The thread that drains the list has the free frame meanwhile, so the miss finds none. */
    @Test
    void frameThatIsKeptWhenTheFreeOnesAreDrainedServesAMissThatHasFoundNone() {
        FramePool<RuntimeException> pool = pool(1);
        pool.giveUp(pool.admit(1, new StubBinding(), true), new StubBinding());
        List<Workers.Worker<Integer>> misses = new ArrayList<>();
        pool.drainFree(frame -> {
            misses.add(workers.start(() -> new StubBinding().load(pool, 2)));
            misses.get(0).awaitParked();
        });
        Workers.await(misses.get(0)::isDone, "a miss that has found no free frame meanwhile is not woken");
        assertThat(misses.get(0).result()).isZero();
    }
}
