// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.createPage;
import static io.clockhand.page.SmallPools.expectNone;
import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.expectZero;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that are closed and dropped while other threads use them, and pools that close meanwhile. */
@Tag("both-tables")
class FileRemovalTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    @Test
    void droppedFileIsDeletedAndItsNumberIsFree(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            createPage(file);
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
            createPage(file);
            file.close();
            assertThatThrownBy(() -> pool.fix(PageId.of(0, 0))).hasMessageContaining("the file was closed");
            FilePageStore.open(path, SmallPools.PAGE_BYTES, FileOption.CREATE).close();
            PagedFile again = pool.open(0, path, FileOption.CREATE);
            assertThat(again.pages()).isEqualTo(1);
            expectZero(pool, again, 0);
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

    @Test
    void fileWhoseDeletionFailsCanBeDroppedAgain(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        Path away = folder.resolve("away.db");
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, path, FileOption.CREATE);
            createPage(file);
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
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            PageGuard user = pool.fixUpgradable(file.id(7));
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
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.OPTIMISTIC)).build()) {
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
        BufferPool pool = small().build();
        PagedFile file = pool.open(0, store);
        Workers.Worker<Long> creator = workers.start(() -> createPage(file));
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
        BufferPool pool = small().build();
        PagedFile file = pool.open(0, store);
        Workers.Worker<Long> creator = workers.start(() -> createPage(file));
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
    void closeWaitsForACreationAndSeesItsGuard() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate write = new Gate();
        Gate open = new Gate();
        store.beforeWrite(page -> {
            write.pass();
            return StampedStore.Outcome.GOOD;
        });
        BufferPool pool = small().build();
        PagedFile file = pool.open(0, store);
        Workers.Worker<Void> creator = workers.run(() -> {
            try (WritablePage created = file.create()) {
                assertThat(StampedStore.isZero(created)).isTrue();
                open.pass();
            }
        });
        write.awaitReached();
        Workers.Worker<Void> closer = workers.run(pool::close);
        closer.awaitParkedOrDone();
        assertThat(closer.isDone()).as("the close ends before the creation").isFalse();
        write.open();
        assertThat(closer.failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 of its 4 frames are pinned");
        assertThat(store.isClosed()).isTrue();
        open.open();
        creator.result();
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
        try (BufferPool pool = small().build()) {
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
