// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.clockhand.internal.flush.PageTarget;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a miss finds a frame while pages are dirty or in use. */
class PageMissTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final AtomicInteger nudges = new AtomicInteger();
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private LongConsumer onWrite = id -> {};
    private LongPredicate exists = id -> true;
    private boolean readFails;
    private PagePool pool;

    private void create(int frames, Duration patience) {
        PoolOptions options =
                new PoolOptions("", frames, frames, true, patience, "", IllegalStateException::new, LONG, (w, d) -> {
                    throw new IllegalStateException("waited for " + w);
                });
        pool = new PagePool(
                options,
                512,
                false,
                new ForwardingPolicy(Policies.create("nb-gclock3", frames)) {
                    @Override
                    public void onRemove(int frame) {
                        notices.add("frame " + frame + " removed");
                        super.onRemove(frame);
                    }
                },
                Pools::newTable,
                new StampedPages() {
                    @Override
                    public void read(long id, ByteBuffer target) throws IOException {
                        if (readFails) {
                            throw new IOException("no page");
                        }
                        super.read(id, target);
                    }
                },
                new PagePool.PageWriting(new Target(), WriteAheadLog.NONE, SharedUpdates.NONE, 2),
                false,
                false);
    }

    private final class Target implements PageTarget {
        @Override
        public boolean exists(long id) {
            return exists.test(id);
        }

        @Override
        public boolean isNext(long id, long next) {
            return false;
        }

        @Override
        public boolean writesTogether(long id, long other) {
            return false;
        }

        @Override
        public void writeBatch(long id, long[] numbers, int from, int to, ByteBuffer pages) {
            throw new AssertionError("not wanted");
        }

        @Override
        public String file(long id) {
            return "the test";
        }

        @Override
        public long page(long id) {
            return id;
        }

        @Override
        public void write(long first, ByteBuffer pages) {
            onWrite.accept(first);
        }
    }

    /** Changes a page; {@return its frame, pinned} */
    private int change(long id) throws IOException {
        int frame = pool.pin(id);
        assertThat(pool.latches().acquireExclusive(frame, 1)).isTrue();
        pool.dirty().begin(frame, 100);
        pool.latches().releaseExclusive(frame);
        return frame;
    }

    private long state(int frame) {
        return pool.framePool().state(frame);
    }

    private Worker<Integer> missOf(long id) {
        Worker<Integer> miss = workers.start(() -> pool.pin(id));
        miss.awaitParked();
        return miss;
    }

    @Test
    void cleanerIsToldOfPagesThatASearchHasPassed() throws IOException {
        create(2, LONG);
        pool.queue().use(nudges::incrementAndGet);
        pool.unpin(change(1));
        pool.unpin(pool.pin(2));

        assertThat(pool.pin(3)).isEqualTo(1);

        assertThat(FrameState.isQueued(state(0))).isTrue();
        assertThat(pool.queue().length()).isOne();
        assertThat(nudges).as("how often the cleaner is notified").hasPositiveValue();
    }

    @Test
    void policyForgetsAFrameThatWasCleanedForAMissAndIsTakenWithoutIt() throws IOException {
        create(2, LONG);
        pool.queue().use(nudges::incrementAndGet);
        pool.unpin(change(1));
        pool.unpin(pool.pin(2));
        pool.unpin(pool.pin(3));
        notices.clear();
        assertThat(pool.writer().writeQueued(1)).isOne();

        assertThat(pool.pin(4)).as("the frame that was cleaned").isZero();

        assertThat(notices).as("the notices to the policy").containsExactly("frame 0 removed");
    }

    /** Without a cleaner the miss writes the page itself. */
    @Test
    void dirtyPageThatNobodyUsesAnyMoreServesAWaitingMiss() throws IOException {
        create(1, LONG);
        change(1);
        Worker<Integer> miss = missOf(2);

        pool.unpin(0);

        Workers.await(miss::isDone, "a miss that could write the dirty page is not woken");
        assertThat(miss.result()).isZero();
    }

    @Test
    void cleanerIsToldOfADirtyPageForWhichAMissWaits() throws IOException {
        create(1, LONG);
        pool.queue().use(nudges::incrementAndGet);
        change(1);
        Worker<Integer> miss = missOf(2);
        nudges.set(0);

        pool.unpin(0);

        assertThat(nudges).as("how often the cleaner is notified").hasPositiveValue();
        pool.writer().writeQueued(1);
        Workers.await(miss::isDone, "a miss that waits for the dirty page is not woken by its write");
        assertThat(miss.result()).isZero();
    }

    /** Another thread uses the page again at once that the first write has cleaned, and that of the second. */
    @Test
    void missWritesPagesUntilItFindsAFrame() throws IOException {
        create(3, LONG);
        pool.queue().use(() -> {}); // a cleaner that lags: the miss writes one page at a time
        for (long id = 1; id <= 3; id++) {
            pool.unpin(change(id));
        }
        AtomicInteger writes = new AtomicInteger();
        onWrite = id -> {
            if (writes.incrementAndGet() < 3) {
                pool.framePool().states().tryPin((int) id - 1, 0);
            }
        };

        Worker<Integer> miss = workers.start(() -> pool.pin(4));

        Workers.await(miss::isDone, "a miss that could write more pages waits");
        assertThat(miss.result()).isNotNegative();
        assertThat(writes).hasValue(3);
    }

    /** The thread that drains the list has the free frame meanwhile, so the miss finds none. */
    @Test
    void frameThatIsKeptWhenTheFreeOnesAreDrainedServesAMissThatHasFoundNone() {
        create(1, LONG);
        readFails = true;
        assertThatThrownBy(() -> pool.pin(1)).hasMessageContaining("no page");
        readFails = false;
        List<Worker<Integer>> misses = new ArrayList<>();

        pool.framePool().drainFree(frame -> misses.add(missOf(2)));

        Workers.await(misses.get(0)::isDone, "a miss that has found no free frame meanwhile is not woken");
        assertThat(misses.get(0).result()).isZero();
    }

    /** The miss has searched in vain, and its time is over before it sleeps; the frame is unpinned in between. */
    @Test
    void missWhoseTimeIsOverTakesAFrameThatBecameFreeMeanwhile() throws IOException {
        Duration patience = Duration.ofMillis(100);
        create(2, patience);
        int used = pool.pin(1);
        pool.unpin(change(2));
        boolean[] unpinned = {false};
        exists = id -> { // asked for by a miss that has found no frame, and writes a page
            long begin = System.nanoTime();
            if (!unpinned[0]) {
                unpinned[0] = true;
                pool.unpin(used);
                Workers.await(() -> System.nanoTime() - begin > patience.toNanos(), "time does not go on");
            }
            return false;
        };

        Throwable failure = catchThrowable(() -> pool.pin(3));
        while (!unpinned[0]) { // this thread was so slow that its time was over before it could write
            failure = catchThrowable(() -> pool.pin(3));
        }

        assertThat(failure).as("what a miss throws though a frame is free").isNull();
        assertThat(FrameState.pins(state(used))).isOne();
    }

    @Test
    void prefetchFindsNoFrameWhenAllArePinned() throws IOException {
        create(1, LONG);
        pool.pin(1);

        assertThat(pool.prefetch(2, 1, new PageRun())).isZero();
    }
}
