// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectZero;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PageId;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.io.PageStore;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that grow, by one creator and by many. */
@Tag("both-tables")
class FileGrowthTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static BufferPoolBuilder patient() {
        return small();
    }

    private static long create(PagedFile file) throws IOException {
        try (WritablePage created = file.create()) {
            assertThat(StampedStore.isZero(created)).isTrue();
            assertThat(file.pages()).isGreaterThan(PageId.page(created.id()));
            return PageId.page(created.id());
        }
    }

    private static StampedStore.Hook failFrom(long least) {
        return page -> page >= least ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD;
    }

    private static void works(StampedStore store) {
        store.beforeWrite(page -> StampedStore.Outcome.GOOD);
        store.beforeTruncate(pages -> StampedStore.Outcome.GOOD);
    }

    @Test
    void creationsThatNeedAnExtensionWaitForTheThreadThatExtends() throws IOException {
        StampedStore store = new StampedStore(0);
        AtomicInteger firstWrites = new AtomicInteger();
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            if (page == 0 && firstWrites.incrementAndGet() == 1) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool =
                patient().frames(16).tuning(t -> t.flushThreads(0)).build()) {
            PagedFile file = pool.open(0, store);
            List<Workers.Worker<Long>> creators = new ArrayList<>();
            creators.add(workers.start(() -> create(file)));
            gate.awaitReached();
            for (int i = 0; i < 2; i++) {
                creators.add(workers.start(() -> create(file)));
                creators.get(creators.size() - 1).awaitParked();
            }
            gate.open();
            assertThat(creators).extracting(Workers.Worker::result).containsExactlyInAnyOrder(0L, 1L, 2L);
            assertThat(firstWrites).as("extensions").hasValue(1);
            assertThat(file.pages()).isEqualTo(3);
            assertThat(store.pages()).isEqualTo(8);
            pool.checkIntegrity();
        }
        assertThat(store.pages()).as("after the close").isEqualTo(3);
    }

    @Test
    void createdPageIsNotWrittenWhereZerosCanBeRead() throws IOException {
        StampedStore store = new StampedStore(0);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            create(file);
            store.beforeWrite(failFrom(0));
            for (int page = 1; page < 8; page++) {
                create(file);
            }
            assertThat(pool.dirtyPages()).isZero();
            for (int page = 0; page < 8; page++) {
                expectZero(pool, file, page);
            }
            works(store);
        }
        assertThat(store.pages()).isEqualTo(8);
    }

    @Test
    void createdPageIsDirtyWhereOnlyPagesThatWereWrittenCanBeRead() throws IOException {
        PageStore store = new ChecksummedPageStore(new MemoryPageStore("memory", SmallPools.PAGE_BYTES), 0, 0);
        try (BufferPool pool =
                patient().frames(16).tuning(t -> t.flushThreads(0)).build()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < 5; page++) {
                create(file);
            }
            assertThat(pool.dirtyPages()).isEqualTo(5);
            pool.flush();
            assertThat(pool.dirtyPages()).isZero();
            assertThat(pool.stats().writing().pagesWritten()).isEqualTo(5);
        }
    }

    @Test
    void fileOnAFullDiskIsExtendedPageByPage() throws IOException {
        StampedStore store = new StampedStore(10);
        store.beforeWrite(failFrom(12));
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            assertThat(create(file)).isEqualTo(10);
            assertThat(create(file)).isEqualTo(11);
            assertThatThrownBy(() -> create(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot extend stamped from 12 to 13 pages");
            assertThat(file.pages()).isEqualTo(12);
            assertThat(store.pages()).isEqualTo(12);
            works(store);
            assertThat(create(file)).isEqualTo(12);
            pool.checkIntegrity();
        }
        assertThat(store.pages()).isEqualTo(13);
    }

    @Test
    void closeOfThePoolTruncatesAfterAFailedExtensionThatCouldNotBeTruncatedAtOnce() throws IOException {
        StampedStore store = new StampedStore(5);
        try (BufferPool pool = patient().build()) {
            failToExtend(store, pool.open(0, store));
        }
        assertThat(store.pages()).isEqualTo(5);
    }

    @Test
    void closeOfTheFileTruncatesAfterAFailedExtensionThatCouldNotBeTruncatedAtOnce() throws IOException {
        StampedStore store = new StampedStore(5);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            failToExtend(store, file);
            file.close();
        }
        assertThat(store.pages()).isEqualTo(5);
    }

    private static void failToExtend(StampedStore store, PagedFile file) throws IOException {
        store.beforeWrite(failFrom(0));
        store.beforeTruncate(failFrom(0));
        assertThatThrownBy(() -> create(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot truncate stamped to 5 pages");
        assertThat(store.pages()).isEqualTo(6);
        works(store);
    }

    @Test
    void pagesOfAFailedExtensionAreTruncatedBeforeTheNextOne() throws IOException {
        StampedStore store = new StampedStore(5);
        List<Long> truncations = new ArrayList<>();
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            failToExtend(store, file);
            store.beforeTruncate(pages -> {
                truncations.add(pages);
                return StampedStore.Outcome.GOOD;
            });
            assertThat(create(file)).isEqualTo(5);
            assertThat(truncations).containsExactly(5L);
        }
    }

    @Test
    void fileWhoseStoreIsTruncatedButCannotBeClosedIsClosedByTheNextTry() throws IOException {
        AtomicInteger closes = new AtomicInteger();
        StampedStore store = new StampedStore(5) {
            @Override
            public void close() throws IOException {
                super.close();
                if (closes.incrementAndGet() == 1) {
                    throw new IOException("cannot close stamped: injected");
                }
            }
        };
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            create(file);
            assertThatThrownBy(() -> file.close()).hasMessageContaining("cannot close stamped");
            file.close();
        }
        assertThat(closes).hasValue(2);
        assertThat(store.tooLate).hasValue(0);
        assertThat(store.pages()).isEqualTo(6);
    }

    @Test
    void closeThatCannotTruncateTheStoreCanBeTriedAgain() throws IOException {
        StampedStore store = new StampedStore(5);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            create(file);
            store.beforeTruncate(failFrom(0));
            assertThatThrownBy(() -> file.close()).hasMessageContaining("cannot truncate stamped to 6 pages");
            works(store);
            file.close();
        }
        assertThat(store.pages()).isEqualTo(6);
    }

    @Test
    void pendingCloseTruncatesTheStoreToThePagesThatTheFileHad() throws IOException {
        StampedStore store = new StampedStore(5);
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, store);
            create(file);
            try (PageGuard user = pool.fix(file.id(3))) {
                assertThatThrownBy(() -> file.close()).isInstanceOf(WaitTimeoutException.class);
                assertThat(StampedStore.isRight(user, 3)).isTrue();
            }
        }
        assertThat(store.pages()).isEqualTo(6);
    }

    @Test
    void extensionThatWasTruncatedIsExtendedAgain() throws IOException {
        StampedStore store = new StampedStore(5);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            create(file);
            file.truncate(2);
            assertThat(store.pages()).isEqualTo(2);
            assertThat(create(file)).isEqualTo(2);
            assertThat(store.pages()).isEqualTo(10);
            pool.checkIntegrity();
        }
        assertThat(store.pages()).isEqualTo(3);
    }

    @Test
    void createdPageCanBeReadAfterEvictionWhereOnlyPagesThatWereWrittenAreValid() throws IOException {
        PageStore store = new ChecksummedPageStore(new MemoryPageStore("memory", SmallPools.PAGE_BYTES), 0, 0);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < 20; page++) {
                create(file);
            }
            for (int page = 0; page < 20; page++) {
                try (PageGuard guard = pool.fix(file.id(page))) {
                    assertThat(guard.getLong(16)).isZero();
                }
            }
        }
    }

    @Test
    void pageForWhichThereIsNoFrameIsNotCreated() throws IOException {
        MemoryPageStore memory = new MemoryPageStore("memory", SmallPools.PAGE_BYTES);
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, new ChecksummedPageStore(memory, 0, 0));
            List<WritablePage> users = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                users.add(file.create());
            }
            assertThatThrownBy(() -> file.create()).isInstanceOf(PoolExhaustedException.class);
            users.forEach(WritablePage::close);
            assertThat(file.pages()).isEqualTo(4);
            assertThat(create(file)).isEqualTo(4);
            pool.checkIntegrity();
        }
    }

    @Test
    void pageOfALogThatEndsNowhereIsNotCreated() throws IOException {
        AtomicLong end = new AtomicLong(-1);
        WriteAheadLog log = new WriteAheadLog() {
            @Override
            public long end() {
                return end.get();
            }

            @Override
            public void makeDurable(long lsn) {
                // it is
            }
        };
        try (BufferPool pool = patient().log(log).build()) {
            PageStore store = new ChecksummedPageStore(new MemoryPageStore("memory", SmallPools.PAGE_BYTES), 0, 0);
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> create(file)).isInstanceOf(IllegalArgumentException.class);
            end.set(0);
            assertThat(file.pages()).isZero();
            file.create().close();
            assertThat(file.pages()).isEqualTo(1);
        }
    }

    /** Each waits for the creation of page 0, and that one for a frame. */
    @Test
    void creationsThatWaitForAnEarlierOneLeaveItAFrame() throws IOException {
        Gate gate = new Gate();
        AtomicInteger loads = new AtomicInteger();
        ForwardingPolicy policy = new ForwardingPolicy(Policies.create(Policies.DEFAULT, 4)) {
            @Override
            public void onLoad(int frame, long identity, int generation) {
                if (PageId.page(identity) == 0 && loads.getAndIncrement() == 0) {
                    gate.pass();
                }
                super.onLoad(frame, identity, generation);
            }
        };
        try (BufferPool pool = patient().build(policy)) {
            PagedFile file = pool.open(0, new StampedStore(0));
            Workers.Worker<Long> first = workers.start(() -> create(file));
            gate.awaitReached();
            List<Workers.Worker<Long>> later = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                later.add(workers.start(() -> create(file)));
            }
            later.forEach(Workers.Worker::awaitParked);
            // a worker may be blocked by a lock of the file for a moment, with its page pinned, before it waits
            Workers.await(() -> pool.stats().pinned() == 1, "more than one frame stays pinned");
            assertThat(later).noneMatch(Workers.Worker::isDone);
            gate.open();
            assertThat(first.result()).isZero();
            assertThat(later).extracting(Workers.Worker::result).doesNotHaveDuplicates();
            assertThat(file.pages()).isEqualTo(9);
            pool.checkIntegrity();
        }
    }

    @Test
    void creationIsRepeatedAfterACrashThatCameBeforeThePageWasWritten(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("growing.db");
        BufferPool crashing = patient().tuning(t -> t.flushThreads(0)).build();
        PagedFile lost = crashing.open(0, checked(path));
        lost.create().close();
        lost.create().close();
        crashing.closeWithoutWriting();
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, checked(path));
            assertThatThrownBy(() -> pool.fix(file.id(1))).isInstanceOf(PageCorruptException.class);
            assertThatThrownBy(() -> file.redoCreation(-1, 1)).isInstanceOf(IllegalArgumentException.class);
            try (WritablePage page = file.redoCreation(10, 1)) {
                assertThat(page.getLong(16)).isZero();
                page.beginRedo(10);
                page.putLong(16, 3);
                page.endUpdate(10);
            }
            file.redoCreation(20, 12).close();
            assertThat(file.pages()).isEqualTo(13);
            try (WritablePage page = file.redoCreation(10, 1)) {
                assertThat(page.getLong(16)).as("a page that can be read").isEqualTo(3);
            }
            assertThatThrownBy(() -> pool.fix(file.id(0))).isInstanceOf(PageCorruptException.class);
            pool.flush();
            pool.checkIntegrity();
        }
    }

    /** Or a checkpoint would let the log go that creates the page anew after a second crash. */
    @Test
    void creationThatIsRepeatedIsNeededFromItsRecordOn(@TempDir Path folder) throws IOException {
        WriteAheadLog log = new WriteAheadLog() {
            @Override
            public long end() {
                return 100;
            }

            @Override
            public void makeDurable(long position) {
                // it is
            }
        };
        try (BufferPool pool =
                patient().frames(16).log(log).tuning(t -> t.flushThreads(0)).build()) {
            PagedFile file = pool.open(0, checked(folder.resolve("growing.db")));
            file.redoCreation(20, 3).close();
            assertThat(pool.stats().writing().dirtyPages()).as("dirty pages").isEqualTo(4);
            assertThat(pool.checkpoint()).isEqualTo(20);
        }
    }

    private static PageStore checked(Path path) throws IOException {
        return new ChecksummedPageStore(FilePageStore.open(path, SmallPools.PAGE_BYTES, FileOption.CREATE), 0, 0);
    }

    @Test
    void manyCreatorsMakeEachPageOnce(@TempDir Path folder) throws IOException {
        int threads = 16;
        int each = 200;
        Path path = folder.resolve("growing.db");
        try (BufferPool pool = patient().frames(64).build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            List<Workers.Worker<List<Long>>> creators = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                creators.add(workers.start(() -> {
                    List<Long> mine = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        mine.add(create(file));
                    }
                    return mine;
                }));
            }
            List<Long> all = new ArrayList<>();
            creators.forEach(creator -> all.addAll(creator.result()));
            assertThat(all).doesNotHaveDuplicates().hasSize(threads * each);
            assertThat(file.pages()).isEqualTo((long) threads * each);
            for (int page = 0; page < threads * each; page += 37) {
                expectZero(pool, file, page);
            }
            pool.checkIntegrity();
        }
        assertThat(Files.size(path)).isEqualTo((long) threads * each * SmallPools.PAGE_BYTES);
    }
}
