// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.ChainedTable;
import io.clockhand.policy.Policies;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue and those who work it off, on a pool of one frame. */
class CleaningQueueTest {
    private static final PoolOptions ONE_FRAME = new PoolOptions(
            "",
            false,
            1,
            1,
            true,
            Duration.ofSeconds(1),
            "wait",
            IllegalStateException::new,
            Duration.ofSeconds(1),
            (what, waited) -> {
                throw new IllegalStateException(what);
            });

    private final Counters counters = new Counters();
    private final FramePool<IOException> pool =
            new FramePool<>(ONE_FRAME, Policies.create(Policies.DEFAULT, 1), new NoContents());
    private final Bindings<Integer, Counter> bindings = new Bindings<>(8);
    private final CleaningQueue<Integer, Counter> queue = new CleaningQueue<>(1);
    private final Maintenance<Integer, Counter, IOException> maintenance =
            new Maintenance<>(pool, new ChainedTable<>(8), bindings, counters, queue);

    @BeforeEach
    void oneFrame() {
        bindings.ensureFrames(1);
    }

    /**
     * A find gives a dirty victim back and then queues what the frame is bound to; between the two the frame may have
     * been discarded and be on its way to another key.
     */
    @Test
    void holderThatIsBeingLoadedIsNotCleaned() throws IOException {
        Entry<Integer, Counter> loading = new Entry<>(1, 1, 0);
        int frame = pool.miss(1, new Loading() {
            @Override
            public boolean load(int frame) throws IOException {
                queue.add(loading);
                assertThat(maintenance.cleanQueued(1)).isFalse();
                return true;
            }
        });

        assertThat(counters.violations).isEmpty();
        assertThat(FrameState.pins(pool.state(frame))).isEqualTo(1);
    }

    @Test
    void holderThatIsNotDirtyAnyMoreLosesItsMarkOnly() throws IOException {
        Entry<Integer, Counter> loaded = new Entry<>(1, 1, 0);
        loaded.holder = counters.load(new Counter(), 1);
        AtomicInteger cleans = new AtomicInteger();
        counters.on(Counters.Step.CLEAN, 1, cleans::incrementAndGet);
        int frame = pool.miss(1, new Loading());
        queue.add(loaded);

        assertThat(maintenance.cleanQueued(10)).isFalse();

        assertThat(cleans).hasValue(0);
        assertThat(FrameState.isWriting(pool.state(frame))).isFalse();
    }

    @Test
    void entryOfAFrameThatHasGoneOnIsSkipped() throws IOException {
        Entry<Integer, Counter> gone = new Entry<>(1, 1, 0);
        gone.retire();
        pool.miss(2, new Loading());
        queue.add(gone);

        assertThat(maintenance.cleanQueued(1)).isFalse();

        assertThat(counters.violations).isEmpty();
    }

    @Test
    void workStopsAtItsMaximumAndSaysThatMoreAreWaiting() throws IOException {
        Entry<Integer, Counter> gone = new Entry<>(1, 1, 0);
        gone.retire();
        queue.add(gone);
        queue.add(gone);

        assertThat(maintenance.cleanQueued(1)).isTrue();
        assertThat(maintenance.cleanQueued(1)).isFalse();
    }

    @Test
    void cleanerIsNudgedForEachEntryWhileThereIsOne() {
        AtomicInteger nudges = new AtomicInteger();
        assertThat(queue.hasCleaner()).isFalse();
        queue.use(nudges::incrementAndGet);
        assertThat(queue.hasCleaner()).isTrue();

        queue.add(new Entry<>(1, 1, 0));
        queue.use(null);
        queue.add(new Entry<>(2, 2, 0));

        assertThat(nudges).hasValue(1);
    }

    private static class Loading implements FrameBinding<IOException> {
        @Override
        public void bind(int frame) {}

        @Override
        public boolean map(int frame) {
            return true;
        }

        @Override
        public boolean load(int frame) throws IOException {
            return true;
        }

        @Override
        public void unmap(int frame) {}
    }

    private static final class NoContents implements FrameContents<IOException> {
        @Override
        public boolean isDirty(int frame) {
            return false;
        }

        @Override
        public void clean(int frame) {}

        @Override
        public void evictContent(int frame) {}

        @Override
        public boolean hasCleaner() {
            return false;
        }

        @Override
        public boolean cleanerLags() {
            return false;
        }

        @Override
        public int pollQueued() {
            return -1;
        }

        @Override
        public void cleanLater(int frame) {}

        @Override
        public void onFrames(int frames) {}

        @Override
        public String describe(int frame) {
            return "nothing";
        }
    }
}
