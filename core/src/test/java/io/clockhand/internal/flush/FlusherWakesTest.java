// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Wake-ups of the threads of the flusher: they park for a day, so that one that is not woken never writes. */
class FlusherWakesTest {
    private static final int FRAMES = 40;
    private static final Duration NEVER = Duration.ofDays(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger writing = new AtomicInteger();
    /** Held up by each write. */
    private volatile Gate gate;

    private final PoolOptions options = new PoolOptions(
            "", FRAMES, FRAMES, true, NEVER, "", IllegalStateException::new, NEVER, (what, waited) -> {});
    private final PagePool pool = new PagePool(
            options,
            512,
            false,
            Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
            (frames, states) -> new ChainedPageTable(frames, states::identity),
            new Pages(),
            new PagePool.PageWriting(new Pages(), WriteAheadLog.NONE, SharedUpdates.NONE, 8),
            true,
            false);
    private Flusher flusher;
    private volatile boolean prefersBatches;
    /** The number of pages of each. */
    private final List<Integer> batches = new CopyOnWriteArrayList<>();

    /** Pages that all exist, and are zero. */
    private final class Pages implements PageSource, PageTarget {
        @Override
        public void check(long id) {
            // every page exists
        }

        @Override
        public void read(long id, ByteBuffer target) {
            target.position(target.limit());
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
        public String describe(long id) {
            return "page " + id;
        }

        @Override
        public boolean exists(long id) {
            return true;
        }

        @Override
        public boolean isNext(long id, long next) {
            return false;
        }

        @Override
        public boolean writesTogether(long id, long other) {
            return prefersBatches;
        }

        @Override
        public void write(long first, ByteBuffer pages) {
            writing.getAndIncrement();
            Gate held = gate;
            if (held != null) {
                held.pass();
            }
            written.getAndIncrement();
        }

        @Override
        public boolean writesBatches() {
            return prefersBatches;
        }

        @Override
        public void writeBatch(long id, long[] numbers, int from, int to, ByteBuffer pages) {
            batches.add(to - from);
        }
    }

    private void open(int threads) {
        flusher = new Flusher(
                pool.framePool(),
                pool.writer(),
                pool.dirty(),
                WriteAheadLog.NONE,
                options,
                threads,
                NEVER,
                NEVER.toNanos());
        pool.queue().use(flusher::nudge);
    }

    @AfterEach
    void stop() {
        flusher.stop();
        // between two writes a step has no page pinned, so that says nothing
        Workers.await(() -> flusher.threads().running() == 0, "a thread of the flusher does not end its step");
        assertThat(pool.pinned())
                .as("pages that are pinned after the last step")
                .isZero();
        pool.checkIntegrity();
    }

    private void change(int from, int to) throws IOException {
        for (int id = from; id < to; id++) {
            int frame = pool.pin(id);
            assertThat(pool.latches().acquireExclusive(frame, 1)).isTrue();
            pool.dirty().begin(frame, 0);
            pool.latches().releaseExclusive(frame);
            pool.unpin(frame);
            flusher.onDirty();
        }
    }

    private void awaitParked() {
        Workers.await(() -> flusher.threads().running() == 0, "the threads of the flusher do not park");
    }

    @Test
    void changeAfterWhichThreeQuartersAreDirtyWakesAThread() throws IOException {
        open(1);
        change(0, 29);
        awaitParked();
        assertThat(written).as("pages written while 29 of 40 frames are dirty").hasValue(0);
        change(29, 30);
        Workers.await(() -> written.get() == 30, "no thread of the flusher was woken by the share of dirty frames");
    }

    @Test
    void missThatMeetsDirtyPagesWakesAThread() throws IOException {
        open(1);
        change(0, 29);
        awaitParked();
        for (int id = 100; id < 100 + FRAMES; id++) {
            pool.unpin(pool.pin(id));
        }
        Workers.await(() -> written.get() > 0, "no thread of the flusher was woken by a miss that met dirty pages");
    }

    @Test
    void dirtyPagesThatMissesMeetWaitUntilThereIsABatchOfThem() throws IOException {
        prefersBatches = true;
        open(1);
        flusher.onCapacity(3 * 32); // three pages are a batch then
        for (int id = 0; id < 3; id++) {
            assertThat(batches)
                    .as("batches after misses have met %d dirty pages", id)
                    .isEmpty();
            assertThat(pool.queue().length())
                    .as("queued pages after misses have met %d dirty pages", id)
                    .isEqualTo(id);
            change(id, id + 1);
            for (int missed = 100; missed < 100 + 2 * FRAMES; missed++) {
                pool.unpin(pool.pin(missed));
            }
            awaitParked();
        }
        Workers.await(() -> !batches.isEmpty(), "no thread of the flusher was woken by a miss that has filled a batch");
        assertThat(batches).containsExactly(3);
    }

    @Test
    void dirtyPageForWhichAThreadWaitsIsWrittenAtOnce() throws IOException {
        prefersBatches = true;
        open(1);
        flusher.onCapacity(3 * 32);
        change(0, 1);
        awaitParked();
        int[] frames = new int[FRAMES];
        for (int id = 0; id < FRAMES; id++) {
            frames[id] = pool.pin(id);
        }
        Workers.Worker<Integer> miss = workers.start(() -> pool.pin(100));
        miss.awaitParked(); // in line, since all frames are pinned
        pool.unpin(frames[0]);
        pool.unpin(miss.result());
        for (int id = 1; id < FRAMES; id++) {
            pool.unpin(frames[id]);
        }
        assertThat(written).as("pages written").hasValue(1);
    }

    @Test
    void flushWakesThreadsThatWriteWithIt() throws IOException {
        open(8);
        change(0, 20);
        awaitParked();
        gate = new Gate();
        Workers.Worker<Integer> flush = workers.start(() -> flusher.writeAhead(0, Long.MAX_VALUE, DirtyPages.NONE));
        Workers.await(() -> writing.get() >= 2, "no thread of the flusher was woken by a flush");
        gate.open();
        assertThat(flush.result()).isPositive();
        Workers.await(() -> written.get() == 20, "a flush and the threads of the flusher do not write all pages");
    }

    @Test
    void endOfAPauseWakesAThread() throws IOException {
        open(1);
        change(0, 20);
        awaitParked();
        flusher.pause();
        change(20, 35);
        assertThat(written).as("pages written during a pause").hasValue(0);
        flusher.resume();
        Workers.await(() -> written.get() > 0, "no thread of the flusher was woken by the end of a pause");
    }
}
