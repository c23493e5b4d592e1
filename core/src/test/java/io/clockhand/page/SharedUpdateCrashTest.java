// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.testing.CrashEngine;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A small engine whose threads update rows of the same few pages at the same time, each its own rows, while a thread
 * makes checkpoints, on a disk whose power fails in the middle of a call. After redo every row has the value of the
 * last record of it that has survived, and those are all that were acknowledged. {@code
 * -Dclockhand.crash.seeds=1000} has more crashes.
 */
class SharedUpdateCrashTest {
    private static final int SEEDS = Integer.getInteger("clockhand.crash.seeds", Tier.pick(40, 250, 5_000));
    private static final int SEEDS_TO_FIND = 3_000;

    private static final int PAGE_BYTES = 512;
    private static final int PAGES = 10;
    private static final int FRAMES = 6;
    private static final int THREADS = 4;
    private static final int LSN = 8;
    private static final int ROWS_AT = 64;
    private static final int ROWS_OF_THREAD = 6;
    private static final long MOMENT_NANOS = 20_000;
    private static final int ROWS = THREADS * ROWS_OF_THREAD;

    /** The rules that an engine could break. */
    enum Broken {
        NOTHING,
        /** The record is appended before the update begins. */
        LATE_PREPARE,
        /** Updates end before the row is written, which is written in another one. */
        EARLY_LSN
    }

    private static final class Engine extends CrashEngine {
        private final Broken broken;
        private final AtomicLongArray acknowledged;
        private final BufferPool pool;
        private final PagedFile file;

        Engine(SimulatedDisk disk, Broken broken, AtomicLongArray acknowledged) throws IOException {
            super(disk);
            this.broken = broken;
            this.acknowledged = acknowledged;
            this.pool = Pools.builder()
                    .pageBytes(PAGE_BYTES)
                    .frames(FRAMES)
                    .log(log)
                    .lsnOffset(LSN)
                    .sharedUpdates(file -> true)
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(PATIENCE)
                    .tuning(t -> t.flushThreads((int) (disk.seed() % 3)).flushInterval(Duration.ofMillis(2)))
                    .build();
            this.file = pool.open(
                    7,
                    new ChecksummedPageStore(
                            DoubleWritePageStore.open(
                                    disk.pages("pages", PAGE_BYTES), disk.pages("journal", PAGE_BYTES), 20),
                            7,
                            0));
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
                long redo = random.nextBoolean() ? pool.checkpoint(log.end()) : pool.checkpoint();
                master.store(redo);
            }
            int key = random.nextInt(PAGES) * ROWS + random.nextInt(ROWS_OF_THREAD) * THREADS + thread;
            long[] record = increment(key);
            if (random.nextInt(4) == 0) {
                log.makeDurable(record[0]);
                acknowledged.accumulateAndGet(key, record[1], Math::max);
            }
        }

        /** Rows of several threads lie in one word; each key is a row of two bytes. */
        private long[] increment(int key) throws IOException {
            int at = ROWS_AT + Short.BYTES * (key % ROWS);
            try (SharedUpdatePage page = pool.fixForSharedUpdate(file.id(key / ROWS))) {
                short value = (short) (page.getShort(at) + 1);
                long lsn;
                if (broken == Broken.LATE_PREPARE) {
                    lsn = log.append(key, value);
                    LockSupport.parkNanos(MOMENT_NANOS); // a checkpoint may come between
                    page.beginUpdate();
                } else {
                    page.beginUpdate();
                    lsn = log.append(key, value);
                }
                if (broken == Broken.EARLY_LSN) {
                    page.endUpdate(lsn);
                    page.close();
                    page.fix(file.id(key / ROWS));
                    page.beginUpdate();
                }
                page.putShort(at, value);
                page.endUpdate(lsn);
                return new long[] {lsn, value};
            }
        }

        @Override
        protected void recover() throws IOException {
            List<long[]> records = log.recover();
            long from = master.recover();
            long[] expected = new long[PAGES * ROWS];
            for (long[] record : records) {
                expected[(int) record[1]] = record[2];
                if (record[0] >= from) {
                    redo(record[0], (int) record[1], (short) record[2]);
                }
            }
            for (int key = 0; key < expected.length; key++) {
                assertThat(expected[key]).as("row %d in the log", key).isGreaterThanOrEqualTo(acknowledged.get(key));
                try (PageGuard page = pool.fix(file.id(key / ROWS))) {
                    assertThat(page.getShort(ROWS_AT + Short.BYTES * (key % ROWS)))
                            .as("row %d of page %d", key % ROWS, key / ROWS)
                            .isEqualTo((short) expected[key]);
                }
            }
        }

        private void redo(long lsn, int key, short value) throws IOException {
            try (WritablePage page = pool.fixExclusive(file.id(key / ROWS))) {
                page.beginRedo(lsn);
                if (page.getLong(LSN) < lsn) {
                    page.putShort(ROWS_AT + Short.BYTES * (key % ROWS), value);
                }
                page.endUpdate(lsn);
            }
        }
    }

    private static void crashAndRecover(SimulatedDisk disk, Broken broken) throws Exception {
        AtomicLongArray acknowledged = new AtomicLongArray(PAGES * ROWS);
        CrashEngine.crashTwice(
                disk,
                THREADS,
                () -> new Engine(disk, broken, acknowledged),
                () -> new Engine(disk, Broken.NOTHING, acknowledged));
    }

    @Test
    void everyRowHasTheValueOfItsLastDurableRecord() {
        SeededDisks.run(SEEDS, disk -> crashAndRecover(disk, Broken.NOTHING));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void brokenRuleIsFound(Broken rule) {
        assertThatThrownBy(() -> SeededDisks.run(SEEDS_TO_FIND, disk -> crashAndRecover(disk, rule)))
                .isInstanceOf(AssertionError.class);
    }
}
