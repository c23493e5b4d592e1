// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scans, which read many pages once, beside users of few pages. */
@Tag("both-tables")
class ScanTest {
    private static final int FRAMES = 256;
    private static final int HOT = 200;
    private static final int SCANNED = 10 * FRAMES;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(HOT + SCANNED);

    private static Stream<String> policies() {
        return Policies.names().stream().filter(name -> Tier.current() != Tier.DEFAULT || !name.contains(":"));
    }

    private static BufferPool pool(String policy) {
        return Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(FRAMES)
                .policy(policy)
                .tuning(t -> t.flushThreads(0))
                .build();
    }

    private static void use(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            assertThat(StampedStore.isRight(guard, page)).isTrue();
        }
    }

    /** At most one use of a hot page in a hundred is a miss that would have been a hit. */
    @ParameterizedTest
    @MethodSource("policies")
    void scanLeavesTheHotPages(String policy) throws IOException {
        try (BufferPool pool = pool(policy);
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 20 * HOT; i++) {
                use(pool, file, random.nextInt(HOT));
            }
            long readsBefore = store.reads.get();
            for (int i = 0; i < SCANNED; i++) {
                long page = (long) HOT + i;
                if (i % 2 == 0) {
                    guard.fixForScan(file.id(page));
                    assertThat(StampedStore.isRight(guard, page)).isTrue();
                    guard.close();
                } else {
                    reader.readForScan(file.id(page));
                    assertThat(StampedStore.isRight(reader, page)).isTrue();
                    assertThat(reader.validateAndRelease()).isTrue();
                }
                use(pool, file, random.nextInt(HOT));
            }
            long misses = store.reads.get() - readsBefore - SCANNED;
            assertThat(misses).as("misses of %d uses of hot pages", SCANNED).isLessThanOrEqualTo(SCANNED / 100);
            pool.checkIntegrity();
        }
    }

    @Test
    void pageThatIsInMemoryIsReadWithoutALatchUnderAnyPolicy() throws IOException {
        try (BufferPool pool = pool("lru");
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            use(pool, file, 3);
            reader.readForScan(file.id(3));
            assertThat(pool.stats().pinned()).isZero();
            assertThat(StampedStore.isRight(reader, 3)).isTrue();
            assertThat(reader.validate()).isTrue();
        }
    }

    /** Its place among the pages of scans is taken by the second next page that a scan reads in. */
    @Test
    void pageThatIsUsedMeanwhileStays() throws IOException {
        try (BufferPool pool = pool(Policies.DEFAULT)) {
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < 6; page++) {
                guard.fixForScan(file.id(page)).close();
                if (page == 1) {
                    use(pool, file, page);
                    use(pool, file, page);
                }
            }
            assertThat(Stream.of(0, 1, 2, 3, 4, 5).filter(page -> pool.isResident(file.id(page))))
                    .as("pages that stay")
                    .containsExactly(1, 4, 5);
        }
    }

    @Test
    void pageThatIsDirtyOrPinnedStays() throws IOException {
        MemoryPageStore pages = new MemoryPageStore("m", StampedStore.PAGE_BYTES);
        pages.extend(10);
        try (BufferPool pool = pool("lru")) {
            PagedFile file = pool.open(0, pages);
            PageGuard guard = pool.newGuard();
            guard.fixForScan(file.id(0)).close();
            try (WritablePage writable = pool.fixExclusive(file.id(0))) {
                writable.beginUpdate();
                writable.putLong(0, 77);
                writable.endUnloggedUpdate();
            }
            try (PageGuard pinned = pool.newGuard().fixForScan(file.id(1))) {
                for (int page = 2; page < 10; page++) {
                    guard.fixForScan(file.id(page)).close();
                }
                assertThat(pool.isResident(file.id(0))).isTrue();
                assertThat(pool.isResident(file.id(1))).isTrue();
                assertThat(pool.isResident(file.id(2))).isFalse();
                assertThat(pool.dirtyPages()).isOne();
                assertThat(pinned.getLong(0)).isZero();
            }
            try (PageGuard changed = pool.fix(file.id(0))) {
                assertThat(changed.getLong(0)).isEqualTo(77);
            }
        }
    }

    /** Where the misses have a lock in common, a scan that waits for it must not have the last frame. */
    @Test
    void scanWaitsForTheLockOfMissesWithoutAFrame() throws IOException {
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (page == 200) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        int frames = 128; // a scan keeps one of them
        try (BufferPool pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(frames)
                .policy("lru")
                .tuning(t -> t.flushThreads(0).pageIn(PageIn.BLOCKING))
                .build()) {
            PagedFile file = pool.open(0, store);
            pool.newGuard().fixForScan(file.id(0)).close();
            List<PageGuard> pinned = new ArrayList<>();
            for (int page = 1; page < frames - 1; page++) {
                pinned.add(pool.fix(file.id(page)));
            }
            PageGuard last = pool.newGuard();
            Worker<Void> holder = workers.run(() -> {
                last.fix(file.id(200)); // stays fixed until the others have ended
                awaitScan(pool, file);
                last.close();
            });
            gate.awaitReached();
            Worker<Void> other = workers.run(() -> pool.fix(file.id(201)).close());
            other.awaitParked();
            Worker<Void> scan =
                    workers.run(() -> pool.newGuard().fixForScan(file.id(202)).close());
            scan.awaitParked();
            gate.open();
            other.result();
            scan.result();
            holder.result();
            pinned.forEach(PageGuard::close);
        }
    }

    private static void awaitScan(BufferPool pool, PagedFile file) {
        Workers.await(() -> pool.isResident(file.id(202)), "the scan does not read its page");
    }

    @Test
    void usesOfAScanAreCountedAsOthersAre() throws IOException {
        try (BufferPool pool = pool(Policies.DEFAULT);
                OptimisticPage reader = pool.newOptimisticPage()) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int round = 0; round < 3; round++) {
                guard.fixForScan(file.id(0)).close();
                reader.readForScan(file.id(1));
                assertThat(reader.validateAndRelease()).isTrue();
            }
            assertThat(file.stats()).isEqualTo(new FileStats(HOT + SCANNED, 2, 4, 2));
            assertThat(pool.stats().hits()).isEqualTo(4);
        }
    }

    @Test
    void pageThatAScanEvictsIsCounted() throws IOException {
        try (BufferPool pool = pool("lru")) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < FRAMES / 2; page++) {
                guard.fixForScan(file.id(page)).close();
            }
            PoolStats stats = pool.stats();
            assertThat(stats.free()).as("free frames").isPositive();
            assertThat(stats.evictions())
                    .as("evicted of %d pages", FRAMES / 2)
                    .isPositive()
                    .isEqualTo(stats.misses() + stats.prefetches() - (FRAMES - stats.free()));
        }
    }

    @Test
    void scanPastTheEndIsRefused() throws IOException {
        try (BufferPool pool = pool(Policies.DEFAULT);
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> pool.newGuard().fixForScan(file.id(HOT + SCANNED)))
                    .isInstanceOf(NoSuchPageException.class);
            assertThatThrownBy(() -> reader.readForScan(file.id(HOT + SCANNED)))
                    .isInstanceOf(NoSuchPageException.class);
            pool.checkIntegrity();
        }
    }

    @Test
    void scansRunBesideOneAnotherAndUsers() throws IOException {
        int steps = Tier.pick(3_000, 30_000, 300_000);
        try (BufferPool pool = pool(Policies.DEFAULT)) {
            PagedFile file = pool.open(0, store);
            List<Worker<Void>> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                SplittableRandom random = new SplittableRandom(i);
                threads.add(workers.run(() -> {
                    PageGuard guard = pool.newGuard();
                    for (int k = 0; k < steps; k++) {
                        long page = random.nextInt(400);
                        if (random.nextInt(4) > 0) {
                            guard.fixForScan(file.id(page));
                        } else {
                            guard.fix(file.id(page));
                        }
                        if (!StampedStore.isRight(guard, page)) {
                            throw new AssertionError("page " + page + " is wrong");
                        }
                        guard.close();
                    }
                }));
            }
            threads.forEach(Worker::result);
            pool.checkIntegrity();
        }
    }
}
