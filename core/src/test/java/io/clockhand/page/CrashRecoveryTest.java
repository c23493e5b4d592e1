// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.CrashEngine;
import io.clockhand.testing.CrashLog;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A small engine whose pages are counters, with a log and a master record, on a disk whose power fails in the middle of
 * a call, a different one for each seed. Writes that were not forced are lost, reordered or torn. After redo from the
 * position of the last checkpoint, each page has exactly the changes of the records that survived, and those are all
 * that were acknowledged. {@code -Dclockhand.crash.seeds=1000} has more crashes.
 */
class CrashRecoveryTest {
    private static final int SEEDS = Integer.getInteger("clockhand.crash.seeds", Tier.pick(20, 100, 3_000));
    /** A rule that is broken in recovery shows only after a second crash, about once in two hundred seeds. */
    private static final int SEEDS_TO_FIND = 3_000;

    private static final int PAGE_BYTES = 1024;
    private static final int PAGES = 12;
    private static final int FRAMES = 6;
    private static final int THREADS = 3;
    private static final int COUNTERS = 16;
    private static final int LSN = 8;

    /** The rules that an engine or a pool could break. */
    enum Broken {
        NOTHING,
        /** Pages are written before the log is durable. */
        LOG_RULE,
        /** A checkpoint forces nothing. */
        FORCE,
        /** The position of the checkpoint is one record too high. */
        REDO,
        /** An update that repeats a record begins at the end of the log. */
        REDO_POSITION
    }

    // --- the engine ----------------------------------------------------------------------------------------------

    private static final class Engine extends CrashEngine {
        final Broken broken;
        final AtomicLongArray acknowledged;
        final BufferPool pool;
        final PagedFile file;

        Engine(SimulatedDisk disk, Broken broken, AtomicLongArray acknowledged) throws IOException {
            super(disk);
            this.broken = broken;
            this.acknowledged = acknowledged;
            this.pool = Pools.builder()
                    .pageBytes(PAGE_BYTES)
                    .frames(FRAMES)
                    .log(broken == Broken.LOG_RULE ? new Unruly(log) : log)
                    .lsnOffset(LSN)
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(PATIENCE)
                    .tuning(t -> t.flushThreads((int) (disk.seed() % 3)).flushInterval(Duration.ofMillis(2)))
                    .build();
            PageStore pages = unforced(disk.pages("pages", PAGE_BYTES));
            PageStore journal = unforced(disk.pages("journal", PAGE_BYTES));
            this.file = pool.open(7, new ChecksummedPageStore(DoubleWritePageStore.open(pages, journal, 20), 7, 0));
        }

        /** A log that says that it is durable, but is not. */
        private record Unruly(CrashLog log) implements WriteAheadLog {
            @Override
            public long end() {
                return log.end();
            }

            @Override
            public void makeDurable(long lsn) {
                // nothing
            }
        }

        private PageStore unforced(PageStore store) {
            return broken != Broken.FORCE
                    ? store
                    : (PageStore) Proxy.newProxyInstance(
                            PageStore.class.getClassLoader(),
                            new Class<?>[] {PageStore.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("force")) {
                                    return null;
                                }
                                try {
                                    return method.invoke(store, arguments);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }

        @Override
        protected BufferPool pool() {
            return pool;
        }

        @Override
        protected void create() throws IOException {
            for (int page = 0; page < PAGES; page++) {
                file.create().close();
            }
            file.flush();
            file.force();
        }

        @Override
        protected void step(int thread, SplittableRandom random) throws IOException {
            if (thread == 0 && random.nextInt(10) == 0) {
                checkpoint(random.nextBoolean());
            }
            long page = random.nextInt(PAGES);
            long[] record = increment(page);
            if (random.nextInt(4) == 0) {
                log.makeDurable(record[0]);
                acknowledged.accumulateAndGet((int) page, record[1], Math::max);
            }
        }

        private long[] increment(long page) throws IOException {
            try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                changed.beginUpdate();
                long value = changed.getLong(COUNTERS) + 1;
                long lsn = log.append(page, value);
                put(changed, value);
                changed.endUpdate(lsn);
                return new long[] {lsn, value};
            }
        }

        private static void put(WritablePage page, long value) {
            for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                page.putLong(at, value);
            }
        }

        private void checkpoint(boolean advances) throws IOException {
            long redo = advances ? pool.checkpoint(log.end()) : pool.checkpoint();
            master.store(broken == Broken.REDO ? redo + CrashLog.RECORD : redo);
        }

        /** Redo, then the check. */
        @Override
        protected void recover() throws IOException {
            List<long[]> records = log.recover();
            long from = master.recover();
            long[] expected = new long[PAGES];
            for (long[] record : records) {
                expected[(int) record[1]] = record[2];
                if (record[0] >= from) {
                    redo(record);
                }
            }
            for (int page = 0; page < PAGES; page++) {
                assertThat(expected[page])
                        .as("increments of page %d in the log", page)
                        .isGreaterThanOrEqualTo(acknowledged.get(page));
                try (PageGuard guard = pool.fix(file.id(page))) {
                    for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                        assertThat(guard.getLong(at))
                                .as("page %d at %d", page, at)
                                .isEqualTo(expected[page]);
                    }
                }
            }
        }

        private void redo(long[] record) throws IOException {
            try (WritablePage page = pool.fixExclusive(file.id(record[1]))) {
                if (broken == Broken.REDO_POSITION) {
                    page.beginUpdate();
                } else {
                    page.beginRedo(record[0]);
                }
                if (page.getLong(LSN) < record[0]) {
                    put(page, record[2]);
                }
                page.endUpdate(record[0]);
            }
        }
    }

    private static void crashAndRecover(SimulatedDisk disk, Broken broken) throws Exception {
        AtomicLongArray acknowledged = new AtomicLongArray(PAGES);
        CrashEngine.crashTwice(
                disk,
                THREADS,
                () -> new Engine(disk, broken, acknowledged),
                () -> new Engine(disk, Broken.NOTHING, acknowledged));
    }

    @Test
    void acknowledgedChangesSurviveAndNoOther() {
        SeededDisks.run(SEEDS, disk -> crashAndRecover(disk, Broken.NOTHING));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void brokenRuleIsFound(Broken rule) {
        assertThatThrownBy(() -> SeededDisks.run(SEEDS_TO_FIND, disk -> crashAndRecover(disk, rule)))
                .isInstanceOf(AssertionError.class);
    }
}
