// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreeSpaceMapTest {
    private static final int PAGE_BYTES = 512;
    private static final int ROWS = PAGE_BYTES - 128;

    @TempDir
    Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    /** Counts the records; fails if a test says so. */
    private static final class CountingLog implements SpaceLog {
        final AtomicLong lsn = new AtomicLong();
        volatile IOException failure;

        @Override
        public long change(long page, int mask, int bits) throws IOException {
            return append();
        }

        @Override
        public long creation(long mapPage) throws IOException {
            return append();
        }

        private long append() throws IOException {
            if (failure != null) {
                throw failure;
            }
            return lsn.incrementAndGet();
        }
    }

    private final CountingLog log = new CountingLog();
    private BufferPool pool;
    private FreeSpaceMap map;

    private void open(boolean shared, boolean poolStoresLsn) throws IOException {
        BufferPoolBuilder builder =
                Pools.builder().pageBytes(PAGE_BYTES).frames(64).tuning(t -> t.flushThreads(1));
        if (shared) {
            builder.sharedUpdates(file -> true);
        }
        if (poolStoresLsn) {
            builder.lsnOffset(56);
        }
        pool = builder.build();
        map = FreeSpaceMap.open(pool, pool.open(1, folder.resolve("space"), FileOption.CREATE), log);
    }

    @AfterEach
    void close() throws IOException {
        if (pool != null) {
            pool.checkIntegrity();
            pool.close();
        }
    }

    @Test
    void pageIsAllocatedMarkedAndFreed() throws IOException {
        open(true, true);
        assertThat(map.get(5)).isEqualTo(new PageSpace(0)).hasToString("not allocated");
        long page = map.allocate();
        assertThat(map.get(page).isAllocated()).isTrue();
        assertThat(map.get(page).fullness()).isEqualTo(Fullness.EMPTY);
        map.setFullness(page, Fullness.of(90, 100));
        map.setGhosts(page, true);
        map.setVersions(page, true);
        map.setMixed(page, true);
        map.setMapPage(page, true);
        assertThat(map.get(page)).hasToString("allocated, UNDER_95, versions, ghosts, mixed, map page");
        long records = log.lsn.get();
        map.setGhosts(page, true);
        assertThat(log.lsn.get())
                .as("a change that changes nothing has no record")
                .isEqualTo(records);
        map.setVersions(page, false);
        map.setGhosts(page, false);
        map.setMixed(page, false);
        map.setMapPage(page, false);
        assertThat(map.get(page)).hasToString("allocated, UNDER_95");
        map.free(page);
        assertThat(map.get(page).bits()).isZero();
        assertThatIllegalStateException().isThrownBy(() -> map.free(page)).withMessageContaining("not allocated");
        assertThatIllegalStateException().isThrownBy(() -> map.setGhosts(-1, true));
        assertThatIllegalStateException().isThrownBy(() -> map.setGhosts(1L << 40, true));
    }

    @Test
    void fullnessHasTheStepsOfThePaper() {
        assertThat(Fullness.of(0, 1000)).isEqualTo(Fullness.EMPTY);
        assertThat(Fullness.of(1, 1000)).isEqualTo(Fullness.UNDER_50);
        assertThat(Fullness.of(500, 1000)).isEqualTo(Fullness.UNDER_80);
        assertThat(Fullness.of(800, 1000)).isEqualTo(Fullness.UNDER_95);
        assertThat(Fullness.of(950, 1000)).isEqualTo(Fullness.FULL);
        assertThat(Fullness.of(1000, 1000)).isEqualTo(Fullness.FULL);
        assertThatIllegalArgumentException().isThrownBy(() -> Fullness.of(2, 1));
    }

    @Test
    void roomIsFoundWherePagesAreNotTooFull() throws IOException {
        open(true, false);
        assertThat(map.findRoom(Fullness.UNDER_95)).isEqualTo(FreeSpaceMap.NONE);
        List<Long> pages = new ArrayList<>();
        for (int i = 0; i < 2 * ROWS; i++) {
            pages.add(map.allocate());
            map.setFullness(pages.get(i), Fullness.FULL);
        }
        assertThat(map.mapPages()).isEqualTo(2);
        assertThat(map.findRoom(Fullness.UNDER_95)).isEqualTo(FreeSpaceMap.NONE);
        assertThat(map.findRoom(Fullness.UNDER_95)).as("by the hints").isEqualTo(FreeSpaceMap.NONE);
        map.setFullness(700, Fullness.UNDER_80);
        map.setFullness(701, Fullness.EMPTY);
        map.setMapPage(701, true);
        assertThat(map.findRoom(Fullness.UNDER_50)).isEqualTo(FreeSpaceMap.NONE);
        assertThat(map.findRoom(Fullness.UNDER_80)).isEqualTo(700);
        map.setMapPage(701, false);
        assertThat(map.findRoom(Fullness.UNDER_50)).isEqualTo(701);
        map.free(3);
        assertThat(map.allocate()).isEqualTo(3);
        assertThat(map.findRoom(Fullness.EMPTY)).isIn(3L, 701L);
        assertThat(map.mapPages()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void threadsGetDifferentPages(boolean shared, boolean poolStoresLsn) throws Exception {
        open(shared, poolStoresLsn);
        Set<Long> taken = ConcurrentHashMap.newKeySet();
        List<Workers.Worker<Void>> threads = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            long seed = number;
            threads.add(workers.run(() -> allocateAndFree(taken, seed)));
        }
        threads.forEach(Workers.Worker::result);
        for (long page = 0; page < map.pages(); page++) {
            assertThat(map.get(page).isAllocated()).as("page %d", page).isEqualTo(taken.contains(page));
        }
        long free = map.pages() - taken.size();
        long mapPages = map.mapPages();
        for (long i = 0; i < free; i++) {
            assertThat(taken.add(map.allocate())).isTrue();
        }
        assertThat(map.mapPages()).as("no free page is lost").isEqualTo(mapPages);
    }

    private void allocateAndFree(Set<Long> taken, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> mine = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            if (mine.isEmpty() || random.nextInt(100) < (i < 1_500 ? 70 : 45)) {
                long page = map.allocate();
                assertThat(taken.add(page))
                        .as("page %d was allocated once", page)
                        .isTrue();
                mine.add(page);
            } else {
                long page = mine.remove(random.nextInt(mine.size()));
                map.setFullness(page, Fullness.UNDER_80);
                assertThat(map.get(page).fullness()).isEqualTo(Fullness.UNDER_80);
                taken.remove(page);
                map.free(page);
            }
        }
    }

    @Test
    void pageStaysFreeIfItsRecordCannotBeAppended() throws IOException {
        open(true, true);
        long first = map.allocate();
        log.failure = new IOException("injected");
        assertThatThrownBy(() -> map.allocate()).isSameAs(log.failure);
        assertThatThrownBy(() -> map.setGhosts(first, true)).isSameAs(log.failure);
        assertThat(map.get(first)).hasToString("allocated, EMPTY");
        log.failure = null;
        for (int i = 1; i < ROWS; i++) {
            map.allocate();
        }
        assertThat(map.mapPages()).isEqualTo(1);
        log.failure = new IOException("injected");
        assertThatThrownBy(() -> map.allocate()).as("the map cannot grow").isSameAs(log.failure);
        assertThat(map.mapPages()).isEqualTo(1);
        log.failure = null;
        assertThat(map.allocate()).isBetween((long) ROWS, 2L * ROWS - 1);
        assertThat(map.mapPages()).isEqualTo(2);
    }

    @Test
    void mapIsInItsFileAfterAClose() throws IOException {
        open(true, true);
        long page = map.allocate();
        map.setFullness(page, Fullness.FULL);
        pool.close();
        open(true, true);
        assertThat(map.get(page)).hasToString("allocated, FULL");
        assertThat(map.pages()).isEqualTo(ROWS);
    }

    @Test
    void poolWhoseLsnsLieInTheRowsIsRefused() throws IOException {
        pool = Pools.builder().pageBytes(PAGE_BYTES).frames(8).lsnOffset(64).build();
        var file = pool.open(1, folder.resolve("space"), FileOption.CREATE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FreeSpaceMap.open(pool, file, SpaceLog.NONE))
                .withMessageContaining("lsnOffset");
    }
}
