// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.createPage;
import static io.clockhand.page.SmallPools.expectNone;
import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.expectZero;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are truncated while other threads use them. */
@Tag("both-tables")
class FileTruncationTest {
    @RegisterExtension
    private final Workers workers = new Workers();

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
            assertThat(createPage(file)).isEqualTo(6);
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
    void truncationWaitsForTheUserOfAPageAndCreationsFailMeanwhile(LatchMode mode) throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            AnyGuard user = AnyGuard.fix(pool, file.id(7), mode);
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            Workers.await(() -> file.pages() == 5, "the truncation does not begin");
            truncator.awaitParked();
            assertThatThrownBy(file::create, "a creation by the thread for which the truncation waits")
                    .isInstanceOf(FileBeingTruncatedException.class)
                    .hasMessage("cannot create a page of stamped: its truncation to 5 pages waits for threads that use"
                            + " pages behind them, perhaps for this one; close these pages, then create again");
            assertThatThrownBy(() -> file.reserve(3)).isInstanceOf(FileBeingTruncatedException.class);
            assertThat(StampedStore.isRight(user.view(), 7)).isTrue();
            user.close();
            truncator.result();
            createPage(file);
            expectZero(pool, file, 5);
            expectNone(pool, file, 7);
            pool.checkIntegrity();
        }
    }

    @Test
    void latchWaiterFinishesBeforeTruncation() throws IOException {
        try (BufferPool pool = small().build()) {
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
        try (BufferPool pool = impatient().build()) {
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
            assertThat(createPage(file)).isEqualTo(5);
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
            Workers.await(() -> file.pages() == 5, "the truncation does not begin");
            truncator.awaitParkedOrDone();
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
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Long> creator = workers.start(() -> createPage(file));
            gate.awaitReached();
            assertThatThrownBy(() -> file.truncate(5))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("pages that are being created of stamped");
            expectRight(pool, file, 9);
            gate.open();
            assertThat(creator.result()).isEqualTo(10);
        }
    }

    /** Dirty pages that are truncated are written no more, so no miss could have their frames. */
    @Test
    void truncationThatTimesOutForOneUserFreesTheOtherFrames() throws IOException {
        try (BufferPool pool = impatient().tuning(t -> t.flushThreads(0)).build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PagedFile other = pool.open(1, new StampedStore(10));
            for (int page = 1; page < 4; page++) {
                try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                    changed.beginUpdate();
                    changed.endUnloggedUpdate();
                }
            }
            try (PageGuard user = pool.fix(file.id(0))) {
                assertThatThrownBy(() -> file.truncate(0)).isInstanceOf(WaitTimeoutException.class);
                assertThat(pool.stats().free()).isEqualTo(3);
                for (int page = 0; page < 6; page++) {
                    pool.fix(other.id(page)).close();
                }
                assertThat(user.id()).isEqualTo(file.id(0));
            }
            file.truncate(0);
            assertThat(file.pages()).isZero();
            pool.checkIntegrity();
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
            creator.set(workers.start(() -> createPage(file)));
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
            assertThat(createPage(file)).isEqualTo(5);
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
                .build()) {
            PagedFile file = pool.open(0, new StampedStore(0, 10));
            PagedFile other = pool.open(1, new StampedStore(0, 10));
            PageGuard pinned = pool.fix(other.id(0));
            PageGuard user = pool.fix(file.id(7));
            Workers.Worker<Void> loader = workers.run(() -> expectRight(pool, other, 1));
            loader.awaitParked();
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            truncator.awaitParked();
            user.close();
            loader.result();
            truncator.result();
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
            assertThat(createPage(file)).isEqualTo(4);
            pool.checkIntegrity();
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
        try (BufferPool pool = small().tuning(t -> t.pageIn(pageIn)).build()) {
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
                assertThat(createPage(file)).isEqualTo(page);
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
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Long> creator = workers.start(() -> createPage(file));
            gate.awaitReached();
            Workers.Worker<Void> truncator = workers.run(() -> file.truncate(5));
            truncator.awaitParked();
            assertThat(file.pages()).isEqualTo(10);
            gate.open();
            assertThat(creator.result()).isEqualTo(10);
            truncator.result();
            expectNone(pool, file, 10);
            assertThat(createPage(file)).isEqualTo(5);
            pool.checkIntegrity();
        }
    }
}
