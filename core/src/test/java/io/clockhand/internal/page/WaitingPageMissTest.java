// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Misses of pages that wait for a frame, or for a buffer. For each use that ends see {@code WaitingMissTest}. */
class WaitingPageMissTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    /** Called before each page is looked up, also by a miss that was woken. */
    private volatile LongConsumer onFind = id -> {};

    private final AtomicInteger insertions = new AtomicInteger();

    private PagePool pool(int frames, Duration longestWait) {
        return new PagePool(
                new PoolOptions(
                        "",
                        frames,
                        frames,
                        true,
                        longestWait,
                        "",
                        IllegalStateException::new,
                        longestWait,
                        LongWaitHandler.GIVE_UP::onLongWait),
                512,
                Policies.create("nb-gclock3", frames),
                (rows, states) -> new WatchedTable(Pools.newTable(rows, states)),
                new StampedPages(),
                true,
                false);
    }

    private Worker<Integer> missOf(PagePool pool, long id) {
        Worker<Integer> miss = workers.start(() -> pool.pin(id));
        miss.awaitParked();
        return miss;
    }

    @Test
    void prefetchDoesNotPassThoseThatWait() throws IOException {
        PagePool pool = pool(1, LONG);
        pool.pin(1);
        List<Worker<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(missOf(pool, 2 + i));
        }
        Gate gate = new Gate();
        onFind = id -> {
            if (id == 2) {
                gate.pass();
            }
        };

        pool.unpin(0);
        gate.awaitReached(); // the first was woken, and has not taken the frame yet
        assertThat(pool.prefetch(9, 1, new PageRun()))
                .as("pages prefetched while others wait for a frame")
                .isZero();
        gate.open();

        for (Worker<Integer> miss : waiting) {
            assertThat(miss.result()).isZero();
            pool.unpin(0);
            assertThat(pool.prefetch(9, 1, new PageRun())).isEqualTo(miss == waiting.get(2) ? 1 : 0);
        }
        pool.checkIntegrity();
    }

    /**
     * The first miss is woken for frame 0, and takes frame 1, which another thread has just freed and not offered yet.
     * That thread then finds frame 1 taken; so the first miss must offer frame 0 to the second one.
     */
    @Test
    void missThatTakesAnotherFrameThanItsOwnOffersItsOwnToTheNext() {
        PagePool pool = pool(2, LONG);
        FramePool frames = pool.framePool();
        beginMiss(frames, 1);
        beginMiss(frames, 2);
        Gate frame1IsFree = new Gate();
        Gate frame1IsTaken = new Gate();
        Worker<Integer> first = workers.start(() -> {
            int frame = pool.pin(3);
            frame1IsTaken.open();
            return frame;
        });
        first.awaitParked();
        Worker<Integer> second = missOf(pool, 4);
        onFind = id -> {
            if (id == 3) {
                frame1IsFree.pass();
            }
        };
        Worker<Boolean> betweenFreeingAndOffering = workers.start(() -> frames.states()
                .waiters()
                .await(
                        1,
                        state -> {
                            if (!FrameState.isFree(state)) {
                                return false;
                            }
                            frame1IsFree.open();
                            frame1IsTaken.pass();
                            return true;
                        },
                        LONG.toNanos()));
        betweenFreeingAndOffering.awaitParked();

        frames.giveUp(0);
        frames.giveUp(1);

        assertThat(first.result()).isEqualTo(1);
        assertThat(second.result()).isZero();
        assertThat(betweenFreeingAndOffering.result()).isTrue();
    }

    /** As a miss does before it has mapped its page. */
    private static void beginMiss(FramePool frames, long id) {
        int frame = frames.takeFree();
        frames.states().setIdentity(frame, id);
        frames.publishPinned(frame);
    }

    @Test
    void missWhosePageWasLoadedMeanwhileEvictsNothingAndLeavesTheFrameToTheNext() throws IOException {
        PagePool pool = pool(2, LONG);
        int frameOf1 = pool.pin(1);
        int frameOf2 = pool.pin(2);
        Worker<Integer> first = missOf(pool, 3);
        Worker<Integer> second = missOf(pool, 3);
        Worker<Integer> third = missOf(pool, 4);

        pool.unpin(frameOf1);
        assertThat(first.result()).isEqualTo(frameOf1);
        pool.unpin(frameOf2);

        assertThat(second.result()).isEqualTo(frameOf1);
        assertThat(third.result()).isEqualTo(frameOf2);
        assertThat(insertions).as("frames taken for a page").hasValue(4);
    }

    @Test
    void missThatIsOutOfTimeUsesThePageThatWasLoadedMeanwhile() throws IOException {
        PagePool pool = pool(1, SHORT);
        pool.pin(1);
        AtomicInteger lookups = new AtomicInteger();
        onFind = id -> {
            if (id == 3 && lookups.incrementAndGet() == 2) { // the first was before the wait
                workers.start(() -> {
                            pool.unpin(0);
                            return pool.pin(3);
                        })
                        .result();
            }
        };

        assertThat(pool.pin(3)).isZero();
        assertThat(insertions).as("frames taken for a page").hasValue(2);
    }

    @Test
    void missThatWaitsForABufferNamesItsPageAndLosesNoFrame() throws IOException {
        PagePool pool = pool(1, SHORT);
        FrameMemory memory = pool.memory();
        Deque<Integer> buffers = new ArrayDeque<>();
        for (int buffer = memory.poll(); buffer != FrameMemory.NONE; buffer = memory.poll()) {
            buffers.add(buffer);
        }
        for (long id = 7; id < 9; id++) {
            long page = id;
            assertThatThrownBy(() -> pool.pin(page))
                    .hasMessageContaining("a buffer for page " + page + " of the test, since all are in use by reads");
        }

        buffers.forEach(memory::offer);

        assertThat(pool.pin(7)).isZero();
        pool.unpin(0);
        pool.checkIntegrity();
    }

    private final class WatchedTable implements PageTable {
        private final PageTable table;

        WatchedTable(PageTable table) {
            this.table = table;
        }

        @Override
        public int find(long id) {
            onFind.accept(id);
            return table.find(id);
        }

        @Override
        public int peek(long id) {
            return table.peek(id);
        }

        @Override
        public int putIfAbsent(long id, int frame) {
            insertions.incrementAndGet();
            return table.putIfAbsent(id, frame);
        }

        @Override
        public boolean remove(long id, int frame) {
            return table.remove(id, frame);
        }

        @Override
        public int size() {
            return table.size();
        }
    }
}
