// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads increment counters in pages while others read, flush and make checkpoints; writes fail now and then. Each
 * page holds its counter many times, and the LSN of its last record. The store checks every image that it gets: it is
 * whole, it has exactly the changes up to its LSN, and the log is durable up to there. After each checkpoint the images
 * that were forced have every change before the position that it has returned. {@code -Dclockhand.pool.seconds=600}
 * runs longer.
 */
class UpdateLoadTest {
    private static final int STEPS = Tier.pick(600, 15_000, 150_000);
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 16;
    private static final int PAGES = 48;
    private static final int THREADS = 8;
    private static final int LSN = 8;
    private static final int COUNTERS = 16;

    /** A record says to which value a page was incremented; its LSN is its place. */
    private static final class Log implements WriteAheadLog {
        private final List<long[]> records = new ArrayList<>();
        private volatile long end;
        private final AtomicLong durable = new AtomicLong(-1);

        synchronized long append(long page, long value) {
            records.add(new long[] {page, value});
            long lsn = end;
            end = lsn + 1;
            return lsn;
        }

        synchronized long[] record(long lsn) {
            return records.get((int) lsn);
        }

        /** {@return how often each page was incremented by records before a position} */
        synchronized long[] incrementsBefore(long position) {
            long[] increments = new long[PAGES];
            for (int lsn = 0; lsn < position; lsn++) {
                increments[(int) records.get(lsn)[0]]++;
            }
            return increments;
        }

        @Override
        public long end() {
            return end;
        }

        @Override
        public void makeDurable(long lsn) {
            durable.accumulateAndGet(lsn, Math::max);
        }
    }

    private static final class Run {
        final Log log = new Log();
        final Crowd crowd = new Crowd(STEPS).withoutInterrupts().until(this::hasEverythingHappened);
        final AtomicLong failures = new AtomicLong();
        final AtomicLong checkpoints = new AtomicLong();
        final AtomicLong updates = new AtomicLong();
        final AtomicLongArray written = new AtomicLongArray(PAGES);
        final AtomicLongArray forced = new AtomicLongArray(PAGES);
        final boolean failing;
        final BufferPool pool;
        final PagedFile file;

        Run(String policy, int flushThreads, boolean failing) throws IOException {
            this.failing = failing;
            this.pool = Pools.builder()
                    .pageBytes(PAGE_BYTES)
                    .frames(FRAMES)
                    .policy(policy)
                    .log(log)
                    .lsnOffset(LSN)
                    .tuning(t -> t.flushThreads(flushThreads).flushInterval(Duration.ofMillis(20)))
                    .build();
            MemoryPageStore memory = new MemoryPageStore("counters", PAGE_BYTES);
            for (int page = 0; page < PAGES; page++) {
                memory.write(page, ByteBuffer.allocate(PAGE_BYTES));
            }
            this.file = pool.open(1, new CheckedStore(memory, this));
        }

        private boolean hasEverythingHappened() {
            return updates.get() > 0 && checkpoints.get() > 0 && (!failing || failures.get() > 0);
        }

        private void work(int number, SplittableRandom random) throws Exception {
            crowd.repeat(() -> {
                try {
                    step(number, random);
                } catch (IOException e) {
                    if (!failing) {
                        throw e;
                    }
                    failures.incrementAndGet();
                }
            });
        }

        private void step(int number, SplittableRandom random) throws IOException {
            long page = random.nextInt(4) == 0 ? random.nextInt(4) : random.nextInt(PAGES);
            if (number == 0 && random.nextInt(50) == 0) {
                checkpoint(random.nextBoolean());
            } else if (number == 1 && random.nextInt(100) == 0) {
                pool.flush();
            } else if (random.nextInt(4) == 0) {
                read(page);
            } else {
                increment(page, random.nextInt(20) == 0);
            }
        }

        private void increment(long page, boolean abandoned) throws IOException {
            try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                changed.beginUpdate();
                long value = changed.getLong(COUNTERS) + 1;
                if (abandoned) {
                    changed.putLong(COUNTERS, -1);
                } else {
                    long lsn = log.append(page, value);
                    for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                        changed.putLong(at, value);
                    }
                    changed.endUpdate(lsn);
                    updates.incrementAndGet();
                }
            } catch (IllegalStateException undone) {
                assertThat(abandoned).as("%s", undone).isTrue();
            }
        }

        private void read(long page) throws IOException {
            try (PageGuard guard = pool.fix(file.id(page))) {
                long value = guard.getLong(COUNTERS);
                for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                    assertThat(guard.getLong(at)).as("page %d at %d", page, at).isEqualTo(value);
                }
            }
        }

        private void checkpoint(boolean advances) throws IOException {
            long end = log.end();
            long redo = advances ? pool.checkpoint(end) : pool.checkpoint();
            long[] needed = log.incrementsBefore(redo);
            for (int page = 0; page < PAGES; page++) {
                assertThat(forced.get(page))
                        .as("increments of page %d that were forced before redo from %d", page, redo)
                        .isGreaterThanOrEqualTo(needed[page]);
            }
            checkpoints.incrementAndGet();
        }
    }

    /** Checks the images that are written, and remembers which were forced. */
    private record CheckedStore(MemoryPageStore memory, Run run) implements PageStore {
        @Override
        public String name() {
            return memory.name();
        }

        @Override
        public int pageBytes() {
            return PAGE_BYTES;
        }

        @Override
        public long pages() {
            return memory.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            memory.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            try {
                check(page, source);
            } catch (AssertionError | RuntimeException e) {
                run.crowd.fail(e);
            }
            if (run.failing && Math.floorMod(source.getLong(source.position() + LSN), 7) == 3) {
                throw new IOException("injected: cannot write page " + page + " of " + name());
            }
            long value = source.getLong(source.position() + COUNTERS);
            memory.write(page, source);
            run.written.set((int) page, value);
        }

        private void check(long page, ByteBuffer source) {
            int start = source.position();
            long lsn = source.getLong(start + LSN);
            long value = source.getLong(start + COUNTERS);
            for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                assertThat(source.getLong(start + at))
                        .as("page %d at %d", page, at)
                        .isEqualTo(value);
            }
            if (value > 0) {
                assertThat(run.log.record(lsn))
                        .as("the record of page %d", page)
                        .containsExactly(page, value);
                assertThat(run.log.durable.get()).as("the durable log").isGreaterThanOrEqualTo(lsn);
            }
            assertThat(value).as("page %d after an older image", page).isGreaterThanOrEqualTo(run.written.get((int)
                    page));
        }

        @Override
        public void truncate(long pages) throws IOException {
            memory.truncate(pages);
        }

        @Override
        public boolean tryOwn() {
            return memory.tryOwn();
        }

        @Override
        public void force() {
            for (int page = 0; page < PAGES; page++) {
                run.forced.accumulateAndGet(page, run.written.get(page), Math::max);
            }
        }

        @Override
        public void close() throws IOException {
            force();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nb-gclock3, 2, false",
        "nb-gclock3, 2, true",
        "nb-gclock3, 0, false",
        "lru, 2, false",
        "bp:lirs, 1, true",
        "bp:2q, 0, false"
    })
    void imagesAndCheckpointsAreRight(String policy, int flushThreads, boolean failing) throws Exception {
        Run run = new Run(policy, flushThreads, failing);
        run.crowd.run(Thread::new, THREADS, run::work);
        assertThat(run.failures.get() > 0).as("%s failures", run.failures).isEqualTo(run.failing);
        finish(run);
    }

    private static void finish(Run run) throws IOException {
        long[] increments = run.log.incrementsBefore(run.log.end());
        for (int page = 0; page < PAGES; page++) {
            try (PageGuard guard = run.pool.fix(PageId.of(1, page))) {
                assertThat(guard.getLong(COUNTERS)).as("page %d", page).isEqualTo(increments[page]);
            } catch (IOException e) {
                assertThat(run.failing).as("%s", e).isTrue();
            }
        }
        if (run.failing) {
            run.pool.closeWithoutWriting();
            return;
        }
        run.pool.close();
        for (int page = 0; page < PAGES; page++) {
            assertThat(run.forced.get(page)).as("page %d of the file", page).isEqualTo(increments[page]);
        }
    }
}
