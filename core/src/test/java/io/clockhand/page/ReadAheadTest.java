// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.page.PageRun;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Misses that follow each other from page to page read ahead. */
@Tag("both-tables")
class ReadAheadTest {
    /** A sixteenth of them is a run of 16 pages. */
    private static final int FRAMES = 256;

    private static final int PAGES = 1000;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(PAGES);

    private BufferPool pool(Consumer<PoolTuning> tuning) {
        store.readRuns(page -> StampedStore.Outcome.GOOD);
        BufferPool pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.flushThreads(0).prefetchThreads(0))
                .tuning(tuning)
                .build();
        pool.collectStats(true);
        return pool;
    }

    private BufferPool pool() {
        return pool(t -> {});
    }

    private static void expect(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            assertThat(StampedStore.isRight(guard, page))
                    .as("page %d is right", page)
                    .isTrue();
        }
    }

    private static void expectFrom(BufferPool pool, PagedFile file, int first, int end) throws IOException {
        for (int page = first; page < end; page++) {
            expect(pool, file, page);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "COALESCED"})
    void runsGrowFromMissToMiss(PageIn pageIn) throws IOException {
        try (BufferPool pool = pool(t -> t.pageIn(pageIn))) {
            PagedFile file = pool.open(0, store);
            expectFrom(pool, file, 10, 60);

            assertThat(store.runs()).containsExactly("12+4", "16+8", "24+16", "40+16", "56+16");
            assertThat(pool.stats().misses()).isEqualTo(7);
            assertThat(pool.stats().hits()).isEqualTo(43);
            assertThat(pool.stats().reads()).isEqualTo(62);
            assertThat(pool.stats().prefetches()).isEqualTo(55);
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
        }
    }

    @Test
    void optimisticReadsAndUpdatesReadAheadAsWell() throws IOException {
        try (BufferPool pool = pool();
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < 5; page++) {
                reader.read(file.id(page));
                assertThat(StampedStore.isRight(reader, page)).isTrue();
                assertThat(reader.validateAndRelease()).isTrue();
            }
            for (int page = 5; page < 14; page++) {
                pool.fixExclusive(file.id(page)).close();
            }
            assertThat(store.runs()).containsExactly("2+4", "6+8");
        }
    }

    @Test
    void pagesInAnyOtherOrderAreReadByThemselves() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            for (int page = 200; page > 100; page--) {
                expect(pool, file, page);
            }
            for (int page = 300; page < 500; page += 2) {
                expect(pool, file, page);
            }
            assertThat(store.runs()).isEmpty();
        }
    }

    @Test
    void severalSequencesAtATimeAreKnown() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            for (int i = 0; i < 4; i++) {
                expect(pool, file, i);
                expect(pool, file, 500 + i);
            }
            assertThat(store.runs()).containsExactly("2+4", "502+4");
        }
    }

    @Test
    void runEndsWithTheFile() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            expectFrom(pool, file, PAGES - 4, PAGES);
            assertThat(store.runs()).containsExactly("998+2");
            assertThatThrownBy(() -> pool.fix(file.id(PAGES))).isInstanceOf(NoSuchPageException.class);
        }
    }

    @Test
    void runEndsBeforeAPageThatIsInMemory() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            expect(pool, file, 14);
            expectFrom(pool, file, 10, 18);
            assertThat(store.runs()).as("14 has noted 15").containsExactly("12+2", "16+4");
            assertThat(store.reads).hasValue(10);
        }
    }

    @Test
    void nothingIsReadAheadIfThatIsTurnedOff() throws IOException {
        try (BufferPool pool = pool(t -> t.readAhead(1))) {
            PagedFile file = pool.open(0, store);
            expectFrom(pool, file, 0, 50);
            assertThat(store.runs()).isEmpty();
        }
        assertThatThrownBy(() -> Pools.builder().tuning(t -> t.readAhead(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("readAhead is 0; it must lie between 1 and 64");
        assertThatThrownBy(() -> Pools.builder().tuning(t -> t.readAhead(65)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** With a thread that prefetches, the run that follows the greatest one is read by it. */
    @Test
    void greatestRunsAreReadTwoAtATime() throws IOException {
        Gate gate = new Gate();
        try (BufferPool pool = pool(t -> t.prefetchThreads(1).pageIn(PageIn.OPTIMISTIC))) {
            PagedFile file = pool.open(0, store);
            store.readRuns(page -> {
                if (page == 30) {
                    gate.pass();
                }
                return StampedStore.Outcome.GOOD;
            });
            expectFrom(pool, file, 0, 30);
            gate.awaitReached(); // a thread of the pool reads 30 to 45, and nobody has missed them
            assertThat(store.runs()).containsExactlyInAnyOrder("2+4", "6+8", "14+16", "30+16");

            Worker<Void> reader = workers.run(() -> expectFrom(pool, file, 30, 46));
            reader.awaitParked(); // although page-in is optimistic
            gate.open();
            reader.result();
            assertThat(store.reads).as("no page was read twice").hasValue(46);
        }
    }

    /** The neighbours of a damaged page are there, and it is damaged for those only who need it. */
    @Test
    void pageThatCannotBeReadFailsNoOther() throws IOException {
        store.beforeRead(page -> page == 13 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            assertThatCode(() -> {
                        expectFrom(pool, file, 9, 13);
                        expect(pool, file, 14);
                    })
                    .as("reads of the neighbours of a damaged page")
                    .doesNotThrowAnyException();
            assertThat(store.runs()).containsExactly("11+4");
            assertThatThrownBy(() -> pool.fix(file.id(13)), "a fix of the damaged page")
                    .hasMessage("cannot read page 13 of stamped: injected");
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
            store.beforeRead(page -> StampedStore.Outcome.GOOD);
            expect(pool, file, 13);
        }
    }

    @Test
    void firstPageThatCannotBeReadFailsItsFixAndLeavesTheOthers() throws IOException {
        store.beforeRead(page -> page == 11 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            expectFrom(pool, file, 9, 11);
            assertThatThrownBy(() -> pool.fix(file.id(11)), "a fix of the damaged page")
                    .hasMessage("cannot read page 11 of stamped: injected");
            assertThat(pool.isResident(file.id(12))).as("12 is in memory").isTrue();
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
        }
    }

    /** A page of zeros, for which the thread waits, is not worth a run that fails. */
    @Test
    void runThatFailsIsReadPageByPage() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            store.readRuns(page -> StampedStore.Outcome.FAILED);
            expectFrom(pool, file, 9, 16);
            assertThat(store.runs()).containsExactly("11+4", "15+8");
            assertThat(pool.stats().failedReads()).isEqualTo(2);
            pool.checkIntegrity();
        }
    }

    @Test
    void errorInARunGivesUpEveryPageOfIt() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            expectFrom(pool, file, 9, 11);
            store.readRuns(page -> {
                throw new LinkageError("injected");
            });
            assertThatThrownBy(() -> pool.fix(file.id(11)), "a fix that goes on with a sequence")
                    .isInstanceOf(LinkageError.class);
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
            store.readRuns(page -> StampedStore.Outcome.GOOD);
            expectFrom(pool, file, 11, 16);
        }
    }

    /** Pages that others pin leave few frames: what is read ahead takes none that is needed. */
    @Test
    void runTakesNoMoreFramesThanThereAre() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            PageGuard[] guards = new PageGuard[FRAMES - 3];
            for (int i = 0; i < guards.length; i++) {
                guards[i] = pool.fix(file.id(999 - 2L * i));
            }
            expectFrom(pool, file, 0, 40);
            assertThat(pool.stats().pinned()).isEqualTo(guards.length);
            for (PageGuard guard : guards) {
                guard.close();
            }
            pool.checkIntegrity();
        }
    }

    /** To a policy a page that was read ahead and then used was used once. */
    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "gclock", "lru", "2q", "lirs", "arc", "car", "clock-pro", "sieve", "s3-fifo"})
    void sequenceDisplacesNoMoreThanWithoutReadingAhead(String policy) throws IOException {
        long without = missesOfHotPages(policy, 1);
        long with = missesOfHotPages(policy, PageRun.MOST_PAGES);
        assertThat(with)
                .as("misses of hot pages; without reading ahead %d", without)
                .isLessThan(without + 400);
    }

    /** {@return how many of 8,000 uses of hot pages miss} */
    private static long missesOfHotPages(String policy, int readAhead) throws IOException {
        StampedStore hot = new StampedStore(150);
        StampedStore large = new StampedStore(8_000);
        large.readRuns(page -> StampedStore.Outcome.GOOD);
        try (BufferPool pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(FRAMES)
                .policy(policy)
                .tuning(t -> t.flushThreads(0).prefetchThreads(0).readAhead(readAhead))
                .build()) {
            PagedFile used = pool.open(0, hot);
            PagedFile read = pool.open(1, large);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 2_000; i++) {
                pool.fix(used.id(random.nextInt(150))).close();
            }
            long before = hot.reads.get();
            for (int i = 0; i < 8_000; i++) {
                pool.fix(used.id(random.nextInt(150))).close();
                pool.fix(read.id(i)).close();
            }
            assertThat(large.runs().isEmpty())
                    .as("nothing is read ahead")
                    .isEqualTo(readAhead == 1 || policy.equals("lirs") || policy.equals("clock-pro"));
            return hot.reads.get() - before;
        }
    }

    /** Scans have 64 places in a pool of 8,192 frames, and a scan reads at most a quarter of them at once. */
    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "lru", "fifo", "2q", "arc", "s3-fifo", "sieve"})
    void scanReadsRunsThatFitItsPlaces(String policy) throws IOException {
        int hot = 7_000;
        StampedStore used = new StampedStore(hot);
        try (BufferPool pool = Pools.builder()
                        .pageBytes(StampedStore.PAGE_BYTES)
                        .frames(8_192)
                        .policy(policy)
                        .tuning(t -> t.flushThreads(0).prefetchThreads(2))
                        .build();
                OptimisticPage reader = pool.newOptimisticPage()) {
            store.readRuns(page -> StampedStore.Outcome.GOOD);
            PagedFile hotFile = pool.open(1, used);
            for (int round = 0; round < 3; round++) {
                expectFrom(pool, hotFile, 0, hot);
            }
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < PAGES; page++) {
                if (page % 2 == 0) {
                    guard.fixForScan(file.id(page));
                    assertThat(StampedStore.isRight(guard, page)).isTrue();
                    guard.close();
                } else {
                    reader.readForScan(file.id(page));
                    assertThat(StampedStore.isRight(reader, page)).isTrue();
                    assertThat(reader.validateAndRelease()).isTrue();
                }
            }
            assertThat(store.runs()).startsWith("2+4", "6+8", "14+16", "30+16").hasSize(64);
            assertThat(store.reads).as("pages that were read").hasValue(PAGES);
            assertThat(file.stats().resident())
                    .as("pages of the scan in memory")
                    .isLessThanOrEqualTo(64);
            assertThat(hotFile.stats().resident()).as("hot pages in memory").isEqualTo(hot);
            pool.checkIntegrity();
        }
    }

    @Test
    void scanOverDamagedPagesLeavesNoMoreThanItsPlaces() throws IOException {
        StampedStore damaged = new StampedStore(10_000);
        damaged.readRuns(page -> StampedStore.Outcome.GOOD);
        damaged.beforeRead(page -> page % 46 == 30 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(8_192)
                .tuning(t -> t.flushThreads(0).prefetchThreads(0))
                .build()) {
            PagedFile file = pool.open(0, damaged);
            PageGuard guard = pool.newGuard();
            int failed = 0;
            for (int page = 0; page < 10_000; page++) {
                try {
                    guard.fixForScan(file.id(page)).close();
                } catch (IOException e) {
                    failed++;
                }
            }
            assertThat(failed).isEqualTo(217);
            assertThat(file.stats().resident())
                    .as("pages of the scan in memory")
                    .isLessThanOrEqualTo(64);
            pool.checkIntegrity();
        }
    }

    /** The first page of the run was missed, the others were read ahead. */
    @Test
    void pageOfAScanThatIsUsedOnceMeanwhileStays() throws IOException {
        try (BufferPool pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(8_192)
                .tuning(t -> t.flushThreads(0).prefetchThreads(0))
                .build()) {
            store.readRuns(page -> StampedStore.Outcome.GOOD);
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < 400; page++) {
                guard.fixForScan(file.id(page)).close();
                if (page == 45) {
                    expect(pool, file, 30);
                    expect(pool, file, 35);
                }
            }
            assertThat(pool.isResident(file.id(30))).as("page 30 is in memory").isTrue();
            assertThat(pool.isResident(file.id(35))).as("page 35 is in memory").isTrue();
            assertThat(pool.isResident(file.id(36))).as("page 36 is in memory").isFalse();
        }
    }

    @Test
    void placesOfScansAreThoseOfThePresentSize() throws IOException {
        try (BufferPool pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(256)
                .maxFrames(8_192)
                .tuning(t -> t.flushThreads(0).prefetchThreads(0))
                .build()) {
            store.readRuns(page -> StampedStore.Outcome.GOOD);
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < 100; page++) {
                guard.fixForScan(file.id(page)).close();
            }
            assertThat(store.runs()).as("runs").isEmpty();
            assertThat(file.stats().resident())
                    .as("pages of the scan in memory")
                    .isEqualTo(2);
        }
    }

    @Test
    void scanOfASmallPoolReadsPageByPage() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < 50; page++) {
                guard.fixForScan(file.id(page)).close();
            }
            assertThat(store.runs()).isEmpty();
        }
    }

    /** Files are truncated and grow again while they are read in sequence. */
    @Test
    void truncationWhilePagesAreReadAhead() throws IOException {
        Gate gate = new Gate();
        try (BufferPool pool = pool(t -> t.prefetchThreads(1))) {
            PagedFile file = pool.open(0, store);
            store.readRuns(page -> {
                if (page == 14) {
                    gate.pass();
                }
                return StampedStore.Outcome.GOOD;
            });
            Worker<Void> reader = workers.run(() -> expectFrom(pool, file, 0, 15));
            gate.awaitReached(); // it reads 14 to 29
            Worker<Void> truncating = workers.run(() -> file.truncate(20));
            truncating.awaitParked();
            gate.open();
            truncating.result();
            assertThatCode(reader::result).as("pages before the new end").doesNotThrowAnyException();
            for (int page = 20; page < 45; page++) {
                long id = file.id(page);
                assertThat(pool.isResident(id))
                        .as("page %d, which is truncated", page)
                        .isFalse();
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void randomReadsAreRight() throws IOException {
        try (BufferPool pool = pool(t -> t.prefetchThreads(2))) {
            PagedFile file = pool.open(0, store);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 300; i++) {
                int first = random.nextInt(PAGES - 20);
                expectFrom(pool, file, first, first + random.nextInt(20));
            }
            Workers.await(() -> pool.stats().pinned() == 0, "the threads that read ahead do not unpin their pages");
        }
    }
}
