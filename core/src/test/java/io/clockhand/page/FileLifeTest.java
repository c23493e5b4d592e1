// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are truncated, closed and dropped while other threads use them. */
class FileLifeTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static void expectZero(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            assertThat(StampedStore.isZero(guard)).as("page %d is zero", page).isTrue();
        }
    }

    private static void expectNone(BufferPool pool, PagedFile file, long page) {
        assertThatThrownBy(() -> pool.fix(PageId.of(file.number(), page)))
                .isInstanceOf(NoSuchPageException.class)
                .hasMessageContaining("no page " + page);
    }

    private static long create(PagedFile file) throws IOException {
        try (WritablePage created = file.create()) {
            assertThat(StampedStore.isZero(created)).isTrue();
            return PageId.page(created.id());
        }
    }

    // --- truncate ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void truncatedPagesAreGoneAndAreCreatedAgainAsZeros(PageTableKind table) throws IOException {
        StampedStore store = new StampedStore(10);
        try (BufferPool pool = small().tuning(t -> t.table(table)).frames(20).build()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < 10; page++) {
                expectRight(pool, file, page);
            }
            file.truncate(6);
            pool.checkIntegrity();
            assertThat(pool.stats().free()).isEqualTo(14);
            assertThat(file.pages()).isEqualTo(6);
            assertThat(store.pages()).isEqualTo(6);
            expectRight(pool, file, 5);
            expectNone(pool, file, 6);
            assertThat(create(file)).isEqualTo(6);
            expectZero(pool, file, 6);
            file.truncate(0);
            expectNone(pool, file, 0);
            assertThat(pool.stats().free()).isEqualTo(20);
            pool.checkIntegrity();
        }
    }

    @Test
    void truncationLeavesThePagesOfOtherFiles() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile first = pool.open(0, new StampedStore(0, 10));
            PagedFile second = pool.open(1, new StampedStore(0, 10));
            expectRight(pool, first, 3);
            expectRight(pool, second, 3);
            first.truncate(0);
            assertThat(pool.stats().free()).isEqualTo(3);
            expectRight(pool, second, 3);
            pool.checkIntegrity();
        }
    }

    @Test
    void fileCannotBeTruncatedBehindItsEnd() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            assertThatThrownBy(() -> file.truncate(11))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot truncate stamped to 11 pages: it has 10");
            assertThatThrownBy(() -> file.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
            file.truncate(10);
            expectRight(pool, file, 9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void truncationWaitsForTheUserOfAPageAndBlocksCreations(LatchMode mode) throws IOException {
        try (BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            AnyGuard user = AnyGuard.fix(pool, file.id(7), mode);
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            Workers.await(() -> file.pages() == 5, "the truncation does not begin");
            truncator.awaitParked();
            Workers.Worker<Void> creator = workers.run(() -> create(file));
            creator.awaitParked();
            assertThat(StampedStore.isRight(user.view(), 7)).isTrue();
            user.close();
            truncator.result();
            creator.result();
            expectZero(pool, file, 5);
            expectNone(pool, file, 7);
            pool.checkIntegrity();
        }
    }

    @Test
    void latchWaiterFinishesBeforeTruncation() throws IOException {
        try (BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            WritablePage user = pool.fixExclusive(file.id(7));
            Workers.Worker<Void> second = workers.run(() -> expectRight(pool, file, 7));
            second.awaitParked();
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            truncator.awaitParked();
            user.close();
            second.result();
            truncator.result();
            expectNone(pool, file, 7);
            pool.checkIntegrity();
        }
    }

    @Test
    void truncationThatTimesOutStaysPendingAndTheNextOneCompletesIt() throws IOException {
        StampedStore store = new StampedStore(10);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            PageGuard user = pool.fix(file.id(7));
            assertThatThrownBy(() -> file.truncate(5))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("page 7 of stamped");
            expectNone(pool, file, 5);
            expectNone(pool, file, 9);
            assertThat(store.pages()).isEqualTo(10);
            assertThatThrownBy(() -> file.create())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("truncation of stamped to 5 pages is incomplete; call truncate again");
            expectRight(pool, file, 4);
            user.close();
            file.truncate(5);
            assertThat(store.pages()).isEqualTo(5);
            assertThat(create(file)).isEqualTo(5);
            expectZero(pool, file, 5);
            pool.checkIntegrity();
        }
    }

    /** Truncated pages cannot be fixed, however long the truncation waits for the user of another page. */
    @Test
    void truncatedPagesCannotBeFixedWhileTheTruncationWaitsNorAfterItTimedOut() throws IOException {
        try (BufferPool pool = small().waitTimeout(Duration.ofMillis(300)).build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PageGuard user = pool.fix(file.id(7));
            expectRight(pool, file, 8);
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            truncator.awaitParked();
            expectNone(pool, file, 8);
            expectNone(pool, file, 7);
            assertThat(truncator.failure()).isInstanceOf(WaitTimeoutException.class);
            expectNone(pool, file, 8);
            expectNone(pool, file, 7);
            user.close();
            pool.checkIntegrity();
            file.truncate(5);
            assertThat(pool.stats().free()).isEqualTo(4);
            pool.checkIntegrity();
        }
    }

    @Test
    void truncationThatTimesOutBeforeItBeginsChangesNothing() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Long> creator = workers.start(() -> create(file));
            gate.awaitReached();
            assertThatThrownBy(() -> file.truncate(5))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("pages that are being created of stamped");
            expectRight(pool, file, 9);
            gate.open();
            assertThat(creator.result()).isEqualTo(10);
        }
    }

    /** The creation can complete while the handler runs, so the handler is called without the lock of the file. */
    @Test
    void truncationThatWaitsLongCallsTheHandlerAndGoesOn() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        AtomicReference<Workers.Worker<Long>> creator = new AtomicReference<>();
        Queue<String> waits = new ConcurrentLinkedQueue<>();
        try (BufferPool pool = small().waitTimeout(Duration.ofMillis(2))
                .onLongWait((what, waited) -> {
                    waits.add(what);
                    if (waits.size() == 2) {
                        gate.open();
                        Workers.await(creator.get()::isDone, "the creation does not end");
                    }
                })
                .build()) {
            PagedFile file = pool.open(0, store);
            creator.set(workers.start(() -> create(file)));
            gate.awaitReached();
            Workers.Worker<Boolean> truncator = workers.start(() -> {
                Thread.currentThread().interrupt();
                file.truncate(5);
                return Thread.interrupted();
            });
            assertThat(truncator.result())
                    .as("the flag of the interrupt is set again")
                    .isTrue();
            assertThat(creator.get().result()).isEqualTo(10);
            assertThat(waits)
                    .containsExactly(
                            "pages that are being created of stamped", "pages that are being created of stamped");
            assertThat(store.pages()).isEqualTo(5);
            assertThat(create(file)).isEqualTo(5);
            pool.checkIntegrity();
        }
    }

    /** A second thread reads the page concurrently, and the read of the first thread has failed. */
    @Test
    void dropWaitsForAReadIntoAFrameThatWasGivenUp() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate first = new Gate();
        Gate second = new Gate();
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead(page -> {
            if (reads.getAndIncrement() == 0) {
                first.pass();
                return StampedStore.Outcome.FAILED;
            }
            second.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.OPTIMISTIC))
                .waitTimeout(Duration.ofSeconds(20))
                .build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> loader = workers.run(() -> expectRight(pool, file, 7));
            first.awaitReached();
            Workers.Worker<Void> helper = workers.run(() -> expectRight(pool, file, 7));
            second.awaitReached();
            first.open();
            assertThat(loader.failure()).hasMessageContaining("injected");
            Workers.Worker<Void> dropper = workers.run(() -> file.drop());
            dropper.awaitParked();
            assertThat(store.isClosed()).isFalse();
            second.open();
            assertThat(helper.failure()).isInstanceOf(NoSuchPageException.class);
            dropper.result();
            assertThat(store.tooLate).hasValue(0);
            pool.checkIntegrity();
        }
    }

    /**
     * The loader has the policy's lock and waits for a frame; the only frame that it can get is the one that the
     * truncation evicts.
     */
    @Test
    void truncationAndABlockingPageInDoNotWaitForEachOther() throws IOException {
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.BLOCKING))
                .policy("lru")
                .frames(2)
                .exhaustedAfter(Duration.ofSeconds(10))
                .waitTimeout(Duration.ofSeconds(20))
                .build()) {
            PagedFile file = pool.open(0, new StampedStore(0, 10));
            PagedFile other = pool.open(1, new StampedStore(0, 10));
            PageGuard pinned = pool.fix(other.id(0));
            PageGuard user = pool.fix(file.id(7));
            Workers.Worker<Void> loader = workers.run(() -> expectRight(pool, other, 1));
            loader.awaitParked();
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            truncator.awaitParked();
            long begin = System.nanoTime();
            user.close();
            loader.result();
            truncator.result();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
            pinned.close();
            pool.checkIntegrity();
        }
    }

    @Test
    void storeThatFailsToTruncateIsReportedAndTheNextTruncationTriesAgain() throws IOException {
        StampedStore store = new StampedStore(10);
        AtomicInteger tries = new AtomicInteger();
        store.beforeTruncate(
                pages -> tries.getAndIncrement() == 0 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            expectRight(pool, file, 7);
            assertThatThrownBy(() -> file.truncate(5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot truncate stamped");
            expectNone(pool, file, 7);
            expectRight(pool, file, 4);
            file.truncate(4);
            expectNone(pool, file, 4);
            assertThat(create(file)).isEqualTo(4);
            pool.checkIntegrity();
        }
    }

    /** Pages that a failed truncation has removed do not reappear when the file is opened again. */
    @Test
    void closeCompletesAPendingTruncation() throws IOException {
        for (boolean poolCloses : new boolean[] {false, true}) {
            StampedStore store = new StampedStore(10);
            AtomicInteger tries = new AtomicInteger();
            store.beforeTruncate(
                    pages -> tries.getAndIncrement() == 0 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            try (BufferPool pool = small().build()) {
                PagedFile file = pool.open(0, store);
                assertThatThrownBy(() -> file.truncate(5)).isInstanceOf(IOException.class);
                if (!poolCloses) {
                    file.close();
                    assertThat(store.pages()).isEqualTo(5);
                }
            }
            assertThat(store.pages()).isEqualTo(5);
            assertThat(store.isClosed()).isTrue();
        }
    }

    @Test
    void fileWhosePendingTruncationFailsAtTheCloseCanBeClosedAgain() throws IOException {
        StampedStore store = new StampedStore(10);
        AtomicInteger tries = new AtomicInteger();
        store.beforeTruncate(
                pages -> tries.getAndIncrement() < 2 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> file.truncate(5)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> file.close()).isInstanceOf(IOException.class);
            assertThat(store.isClosed()).isFalse();
            file.close();
            assertThat(store.pages()).isEqualTo(5);
            assertThat(store.isClosed()).isTrue();
        }
    }

    /** The reading thread checks that the page exists before the truncation, and maps it afterwards. */
    @ParameterizedTest
    @EnumSource
    void pageThatIsReadDuringItsTruncationIsNotResidentAfterwards(PageIn pageIn) throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (page == 7) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(pageIn))
                .waitTimeout(Duration.ofSeconds(20))
                .build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> reader = workers.run(() -> expectRight(pool, file, 7));
            gate.awaitReached();
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            Workers.await(() -> file.pages() == 5, "the truncation does not begin");
            truncator.awaitParked();
            gate.open();
            reader.result();
            truncator.result();
            for (int page = 5; page < 8; page++) {
                assertThat(create(file)).isEqualTo(page);
                expectZero(pool, file, page);
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void optimisticReadOfATruncatedPageDoesNotValidate() throws IOException {
        try (BufferPool pool = small().build();
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            expectRight(pool, file, 7);
            reader.read(file.id(7));
            assertThat(reader.validateAndRelease()).isTrue();
            file.truncate(5);
            assertThat(reader.validateAndRelease()).isFalse();
            assertThatThrownBy(() -> reader.read(file.id(7))).isInstanceOf(NoSuchPageException.class);
        }
    }

    @Test
    void truncationWaitsForCreationsInProgress() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Long> creator = workers.start(() -> create(file));
            gate.awaitReached();
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            truncator.awaitParked();
            assertThat(file.pages()).isEqualTo(10);
            gate.open();
            assertThat(creator.result()).isEqualTo(10);
            truncator.result();
            expectNone(pool, file, 10);
            assertThat(create(file)).isEqualTo(5);
            pool.checkIntegrity();
        }
    }

    // --- drop and close ----------------------------------------------------------------------------------------------

    @Test
    void droppedFileIsDeletedAndItsNumberIsFree(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            create(file);
            file.drop();
            assertThat(path).doesNotExist();
            assertThatThrownBy(() -> pool.fix(PageId.of(0, 0)))
                    .isInstanceOf(NoSuchPageException.class)
                    .hasMessageContaining("orders.db any more: the file was dropped");
            assertThatThrownBy(() -> file.create())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("orders.db (file 0) was dropped; open it again to use it");
            assertThatThrownBy(file::drop).hasMessageEndingWith("was dropped; open it again to use it");
            assertThatThrownBy(() -> file.truncate(0)).hasMessageEndingWith("was dropped; open it again to use it");
            assertThatThrownBy(() -> file.id(0)).hasMessageEndingWith("was dropped; open it again to use it");
            assertThatThrownBy(file::pages).hasMessageEndingWith("was dropped; open it again to use it");
            file.close();
            PagedFile again = pool.open(0, path, FileOption.CREATE);
            assertThat(again).isNotEqualTo(file);
            assertThat(again.pages()).isZero();
            assertThat(pool.stats().free()).isEqualTo(4);
            pool.checkIntegrity();
        }
    }

    @Test
    void closedFileHasItsPagesWhenItIsOpenedAgain(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            create(file);
            file.close();
            assertThatThrownBy(() -> pool.fix(PageId.of(0, 0))).hasMessageContaining("the file was closed");
            FilePageStore.open(path, SmallPools.PAGE_BYTES, FileOption.CREATE).close();
            PagedFile again = pool.open(0, path, FileOption.CREATE);
            assertThat(again.pages()).isEqualTo(1);
            expectZero(pool, again, 0);
            pool.checkIntegrity();
        }
    }

    @Test
    void fileWhoseDeletionFailsCanBeDroppedAgain(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        Path away = folder.resolve("away.db");
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            create(file);
            Files.move(path, away);
            Files.createFile(path);
            assertThatThrownBy(() -> file.drop())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot delete")
                    .hasMessageContaining("another file has the name now");
            assertThat(path).exists();
            expectNone(pool, file, 0);
            Files.delete(path);
            Files.move(away, path);
            file.drop();
            assertThat(path).doesNotExist();
        }
    }

    @Test
    void dropWaitsForUsersOfThePages() throws IOException {
        StampedStore store = new StampedStore(10);
        try (BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build()) {
            PagedFile file = pool.open(0, store);
            PageGuard user = pool.fixForUpdate(file.id(7));
            Workers.Worker<Void> dropper = workers.run(() -> file.drop());
            Workers.await(() -> !file.isOpen(), "the drop does not begin");
            dropper.awaitParked();
            assertThat(store.isClosed()).isFalse();
            user.close();
            dropper.result();
            assertThat(store.isClosed()).isTrue();
            pool.checkIntegrity();
        }
    }

    @Test
    void renamedFileIsNotDropped(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        Path away = folder.resolve("away.db");
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            Files.move(path, away);
            assertThatThrownBy(() -> file.drop())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot delete")
                    .hasMessageContaining("orders.db");
            file.close();
            assertThat(away).exists();
        }
    }

    @Test
    void closeOfThePoolWaitsForADropAndForCreations(@TempDir Path folder) throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.FAILED;
        });
        BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build();
        PagedFile file = pool.open(0, store);
        Workers.Worker<Long> creator = workers.start(() -> create(file));
        gate.awaitReached();
        Workers.Worker<Void> dropper = workers.run(() -> file.drop());
        dropper.awaitParked();
        Workers.Worker<Void> closer = workers.run(pool::close);
        closer.awaitParked();
        assertThat(store.isClosed()).isFalse();
        gate.open();
        assertThat(creator.failure()).hasMessageContaining("injected");
        dropper.result();
        closer.result();
        assertThat(store.tooLate).hasValue(0);
    }

    @Test
    void closeOfThePoolWaitsForACreationInProgress() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.FAILED;
        });
        BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build();
        PagedFile file = pool.open(0, store);
        Workers.Worker<Long> creator = workers.start(() -> create(file));
        gate.awaitReached();
        Workers.Worker<Void> closer = workers.run(pool::close);
        closer.awaitParked();
        assertThat(store.isClosed()).isFalse();
        gate.open();
        assertThat(creator.failure()).hasMessageContaining("injected");
        closer.result();
        assertThat(store.tooLate).hasValue(0);
        assertThat(store.pages()).isEqualTo(10);
    }

    @Test
    void closeIsRefusedIfACreatedPageIsPinnedAndPagesCanBeCreatedAfterwards() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate write = new Gate();
        Gate open = new Gate();
        store.beforeWrite(page -> {
            write.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> creator = workers.run(() -> {
                try (WritablePage created = file.create()) {
                    assertThat(StampedStore.isZero(created)).isTrue();
                    open.pass();
                }
            });
            write.awaitReached();
            Workers.Worker<Void> closer = workers.run(pool::close);
            closer.awaitParked();
            write.open();
            assertThat(closer.failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1 of its 4 frames are pinned");
            open.open();
            creator.result();
            assertThat(create(file)).isEqualTo(11);
            pool.checkIntegrity();
        }
    }

    @Test
    void closedStoreDeletesNothing(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        FilePageStore store = FilePageStore.open(path, SmallPools.PAGE_BYTES, FileOption.CREATE);
        store.close();
        assertThatThrownBy(store::delete).isInstanceOf(IOException.class).hasMessageContaining("the store is closed");
        assertThat(path).exists();
    }

    @Test
    void oneOfTwoThreadsDropsAFile() throws IOException {
        try (BufferPool pool = small().waitTimeout(Duration.ofSeconds(20)).build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PageGuard user = pool.fix(file.id(7));
            Workers.Worker<Void> first = workers.run(() -> file.drop());
            first.awaitParked();
            Workers.Worker<Void> second = workers.run(() -> file.drop());
            second.awaitParked();
            user.close();
            first.result();
            assertThat(second.failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("stamped (file 0) was dropped; open it again to use it");
        }
    }
}
