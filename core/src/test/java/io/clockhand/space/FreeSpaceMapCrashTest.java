// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PagedFile;
import io.clockhand.testing.CrashEngine;
import io.clockhand.testing.CrashLog;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Threads allocate, mark and free pages through a map that grows, while one makes checkpoints, on a disk whose power
 * fails in the middle of a call. After redo the map has for each data page what the records that have survived say, and
 * it still works. {@code -Dclockhand.crash.seeds=1000} has more crashes.
 */
class FreeSpaceMapCrashTest {
    private static final int SEEDS = Integer.getInteger("clockhand.crash.seeds", Tier.pick(30, 100, 3_000));
    private static final int PAGE_BYTES = 512;
    private static final int THREADS = 3;
    /** The key of a record of a creation. */
    private static final long CREATION = -1;

    private static final class Engine extends CrashEngine {
        private final BufferPool pool;
        private final PagedFile file;
        private final List<List<Long>> pages = new ArrayList<>();
        private FreeSpaceMap map;

        Engine(SimulatedDisk disk) throws IOException {
            super(disk);
            pool = Pools.builder()
                    .pageBytes(PAGE_BYTES)
                    .frames(6)
                    .log(log)
                    .lsnOffset(Long.BYTES) // behind the checksum
                    .sharedUpdates(file -> true)
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(PATIENCE)
                    .tuning(t -> t.flushThreads((int) (disk.seed() % 3)).flushInterval(Duration.ofMillis(2)))
                    .build();
            file = pool.open(
                    7,
                    new ChecksummedPageStore(
                            DoubleWritePageStore.open(
                                    disk.pages("pages", PAGE_BYTES), disk.pages("journal", PAGE_BYTES), 20),
                            7,
                            0));
            for (int thread = 0; thread < THREADS; thread++) {
                pages.add(new ArrayList<>());
            }
        }

        private record Records(CrashLog log) implements SpaceLog {
            @Override
            public long change(long page, int mask, int bits) {
                return log.append(page, (long) mask << Byte.SIZE | bits);
            }

            @Override
            public long creation(long mapPage) {
                return log.append(CREATION, mapPage);
            }
        }

        @Override
        protected BufferPool pool() {
            return pool;
        }

        @Override
        protected void create() {
            map = FreeSpaceMap.open(pool, file, new Records(log));
        }

        @Override
        protected void step(int thread, SplittableRandom random) throws IOException {
            if (thread == 0 && random.nextInt(30) == 0) {
                long redo = random.nextBoolean() ? pool.checkpoint(log.end()) : pool.checkpoint();
                long mapPages = map.mapPages();
                log.makeDurable(log.end() - CrashLog.RECORD);
                master.store(redo, mapPages);
            }
            List<Long> mine = pages.get(thread);
            if (mine.isEmpty() || random.nextInt(10) < 6) {
                for (int i = 0; i < 20; i++) {
                    mine.add(map.allocate());
                }
            } else if (random.nextInt(3) == 0) {
                map.free(mine.remove(random.nextInt(mine.size())));
            } else {
                long page = mine.get(random.nextInt(mine.size()));
                map.setFullness(page, Fullness.of(random.nextInt(100), 100));
                map.setGhosts(page, random.nextBoolean());
            }
            if (random.nextInt(4) == 0) {
                log.makeDurable(log.end() - CrashLog.RECORD);
            }
        }

        @Override
        protected void recover() throws IOException {
            List<long[]> records = log.recover();
            long from = master.recover();
            map = FreeSpaceMap.recover(pool, file, new Records(log), master.other());
            List<Integer> expected = new ArrayList<>();
            for (long[] record : records) {
                if (record[1] == CREATION) {
                    int rows = PAGE_BYTES - 128;
                    for (int i = 0; i < rows; i++) {
                        expected.add(0);
                    }
                    if (record[0] >= from) {
                        map.redoCreation(record[0], record[2]);
                    }
                    continue;
                }
                int mask = (int) record[2] >>> Byte.SIZE;
                int bits = (int) record[2] & 0xFF;
                expected.set((int) record[1], (expected.get((int) record[1]) & ~mask) | bits);
                if (record[0] >= from) {
                    map.redo(record[0], record[1], mask, bits);
                }
            }
            assertThat(map.pages()).isEqualTo(expected.size());
            for (int page = 0; page < expected.size(); page++) {
                assertThat(map.get(page).bits()).as("data page %d", page).isEqualTo(expected.get(page));
            }
        }
    }

    @Test
    void mapHasWhatItsLogSays() {
        SeededDisks.run(
                SEEDS, disk -> CrashEngine.crashTwice(disk, THREADS, () -> new Engine(disk), () -> new Engine(disk)));
    }
}
