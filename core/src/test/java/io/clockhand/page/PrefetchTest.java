// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.WaitTimeoutException;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("both-tables")
class PrefetchTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static BufferPool pool(int frames) {
        BufferPool pool = small().frames(frames).build();
        pool.collectStats(true);
        return pool;
    }

    private static void expectDone(Prefetch ahead, int read, int failed) {
        assertThat(ahead.await(Workers.LIMIT)).isTrue();
        assertThat(ahead.isDone()).isTrue();
        assertThat(ahead.pagesRead()).as("pages that the prefetch has read").isEqualTo(read);
        assertThat(ahead.pagesFailed()).isEqualTo(failed);
    }

    @ParameterizedTest
    @EnumSource
    void prefetchedPagesAreResidentBeforeTheyAreFixed(PageIn pageIn) throws IOException {
        StampedStore store = new StampedStore(100);
        try (BufferPool pool = small().frames(40).tuning(t -> t.pageIn(pageIn)).build()) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, store);
            expectDone(file.prefetch(10, 8), 8, 0);
            assertThat(store.reads).hasValue(8);
            assertThat(pool.stats().prefetches()).isEqualTo(8);
            assertThat(pool.stats().misses()).isZero();
            for (int page = 10; page < 18; page++) {
                expectRight(pool, file, page);
            }
            assertThat(pool.stats().hits()).isEqualTo(8);
            assertThat(store.reads).hasValue(8);
            expectDone(file.prefetch(10, 9), 1, 0);
            pool.checkIntegrity();
        }
    }

    @Test
    void adjacentPagesAreReadByRuns() throws IOException {
        StampedStore store = new StampedStore(1000);
        store.readRuns(page -> StampedStore.Outcome.GOOD);
        try (BufferPool pool = pool(1024)) {
            PagedFile file = pool.open(0, store);
            expectDone(file.prefetch(10, 20), 20, 0);
            expectDone(file.prefetch(5, 40), 20, 0);
            assertThat(store.runs()).containsExactly("10+20", "5+5", "30+15");
            expectDone(file.prefetch(100, 100), 100, 0);
            assertThat(store.runs()).as("64 pages at most").contains("100+64", "164+36");
            for (int page = 5; page < 45; page++) {
                expectRight(pool, file, page);
            }
            assertThat(pool.stats().misses()).isZero();
            pool.checkIntegrity();
        }
    }

    @Test
    void prefetchIsLimitedToTheFileAndToAQuarterOfThePool() throws IOException {
        try (BufferPool pool = pool(40)) {
            PagedFile file = pool.open(0, new StampedStore(100));
            assertThat(file.prefetch(97, 8).pages()).isEqualTo(3);
            assertThat(file.prefetch(0, 100).pages()).isEqualTo(10);
            expectDone(file.prefetch(100, 8), 0, 0);
            expectDone(file.prefetch(5_000, 8), 0, 0);
            assertThatThrownBy(() -> file.prefetch(0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "cannot prefetch 0 pages of stamped from page 0: the count must be at least 1, and the page"
                                    + " at least 0");
            assertThatThrownBy(() -> file.prefetch(-1, 1)).isInstanceOf(IllegalArgumentException.class);
            file.close();
            assertThatThrownBy(() -> file.prefetch(0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("stamped (file 0) was closed; open it again to use it");
        }
    }

    @Test
    void fixOfAPageThatIsBeingPrefetchedWaitsForTheRead() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = pool(40)) {
            PagedFile file = pool.open(0, store);
            Prefetch ahead = file.prefetch(3, 1);
            gate.awaitReached();
            Workers.Worker<Void> reader = workers.run(() -> expectRight(pool, file, 3));
            reader.awaitParked();
            assertThat(ahead.isDone()).isFalse();
            gate.open();
            reader.result();
            expectDone(ahead, 1, 0);
            assertThat(store.reads).hasValue(1);
        }
    }

    @Test
    void checkOfThePoolWaitsForAReadInProgress() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = pool(40)) {
            PagedFile file = pool.open(0, store);
            Prefetch ahead = file.prefetch(3, 1);
            gate.awaitReached();
            Workers.Worker<Void> check = workers.run(pool::checkIntegrity);
            check.awaitParkedOrDone();
            gate.open();
            assertThatCode(check::result).as("the check").doesNotThrowAnyException();
            expectDone(ahead, 1, 0);
            expectDone(file.prefetch(4, 1), 1, 0);
        }
    }

    @Test
    void cancelCompletesReadsInProgressAndStartsNoOthers() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool =
                small().frames(80).tuning(t -> t.prefetchThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            Prefetch ahead = file.prefetch(3, 20);
            gate.awaitReached();
            ahead.cancel();
            assertThat(ahead.await(Duration.ofMillis(1))).isFalse();
            assertThat(ahead.toString()).endsWith("cancelled");
            gate.open();
            expectDone(ahead, 1, 0);
            pool.checkIntegrity();
        }
    }

    @Test
    void failedPrefetchIsCountedAndTheNextFixReportsTheFailure() throws IOException {
        StampedStore store = new StampedStore(100);
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead(page ->
                page == 5 && reads.getAndIncrement() < 2 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = pool(40)) {
            PagedFile file = pool.open(0, store);
            expectDone(file.prefetch(4, 3), 2, 1);
            assertThatThrownBy(() -> expectRight(pool, file, 5)).hasMessageContaining("page 5 of stamped");
            expectRight(pool, file, 5);
            pool.checkIntegrity();
        }
    }

    @Test
    void prefetchDoesNotWaitForAFrame() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(100));
            PageGuard[] guards = new PageGuard[4];
            for (int page = 0; page < 4; page++) {
                guards[page] = pool.fix(file.id(page));
            }
            expectDone(file.prefetch(50, 1), 0, 0); // before a wait would end
            for (PageGuard guard : guards) {
                guard.close();
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void closeWaitsForPrefetchReadsInProgress() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        BufferPool pool = pool(40);
        PagedFile file = pool.open(0, store);
        Prefetch ahead = file.prefetch(3, 8);
        gate.awaitReached();
        Workers.Worker<Void> closer = workers.run(pool::close);
        closer.awaitParked();
        gate.open();
        closer.result();
        assertThat(ahead.isDone()).isTrue();
        assertThat(ahead.pagesFailed()).isZero();
        assertThatThrownBy(() -> file.prefetch(3, 8)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void prefetchThatStartsDuringACloseReadsNothing() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (page == 3) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        BufferPool pool = small().frames(40).tuning(t -> t.prefetchThreads(2)).build();
        PagedFile file = pool.open(0, store);
        Prefetch before = file.prefetch(3, 1);
        gate.awaitReached();
        Workers.Worker<Void> closer = workers.run(pool::close);
        Workers.await(() -> before.toString().endsWith("cancelled"), "the close does not begin");
        expectDone(file.prefetch(50, 1), 0, 0);
        assertThat(store.reads).hasValue(1);
        gate.open();
        closer.result();
    }

    @Test
    void closeThatWaitsLongForAPrefetchCallsTheHandlerAndGoesOn() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        Queue<String> waits = new ConcurrentLinkedQueue<>();
        BufferPool pool = small().frames(40)
                .waitTimeout(Duration.ofMillis(2))
                .onLongWait((what, waited) -> {
                    waits.add(what);
                    if (waits.size() == 2) {
                        gate.open();
                    }
                })
                .build();
        Prefetch ahead = pool.open(0, store).prefetch(3, 1);
        gate.awaitReached();
        pool.close();
        assertThat(ahead.isDone()).isTrue();
        assertThat(waits)
                .hasSizeGreaterThanOrEqualTo(2)
                .contains("a prefetch of 1 pages of stamped: 0 read, 0 failed, cancelled");
    }

    @Test
    void poolWhoseCloseIsRefusedPrefetchesAgain() throws IOException {
        try (BufferPool pool = pool(40)) {
            PagedFile file = pool.open(0, new StampedStore(100));
            AtomicBoolean fails = new AtomicBoolean();
            StampedStore full = new StampedStore(1, 1);
            full.beforeWrite(page -> fails.get() ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            try (WritablePage page = pool.open(1, full).create()) {
                fails.set(true);
                page.beginUpdate();
                page.endUnloggedUpdate();
            }
            assertThatThrownBy(pool::close).isInstanceOf(IOException.class);
            fails.set(false);
            expectDone(file.prefetch(3, 8), 8, 0);
        }
    }

    @Test
    void poolWithoutPrefetchThreadsPrefetchesNothing() throws IOException {
        try (BufferPool pool = small().tuning(t -> t.prefetchThreads(0)).build()) {
            PagedFile file = pool.open(0, new StampedStore(100));
            expectDone(file.prefetch(3, 1), 0, 0);
        }
        assertThatThrownBy(() -> small().tuning(t -> t.prefetchThreads(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 0 and 256");
    }

    @Test
    void prefetchesThatDoNotFitIntoTheQueueAreDropped() throws IOException {
        StampedStore store = new StampedStore(1_000);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool =
                small().frames(2_000).tuning(t -> t.prefetchThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            int declined = 0;
            for (int page = 0; page < 400; page++) {
                declined += file.prefetch(page, 1).isDone() ? 1 : 0;
            }
            assertThat(declined).isBetween(140, 144);
            gate.open();
        }
    }

    @Test
    void dropOfAFileCancelsItsPrefetches() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool =
                small().frames(80).tuning(t -> t.prefetchThreads(2)).build()) {
            PagedFile file = pool.open(0, store);
            Prefetch ahead = file.prefetch(3, 20);
            gate.awaitReached();
            Workers.Worker<Void> dropper = workers.run(() -> file.drop());
            dropper.awaitParked();
            gate.open();
            dropper.result();
            assertThat(ahead.await(Workers.LIMIT)).isTrue();
            assertThat(ahead.pagesRead()).as("pages that the prefetch has read").isLessThanOrEqualTo(2);
            assertThat(pool.stats().free()).isEqualTo(80);
            pool.checkIntegrity();
        }
    }

    /** A thread that ended with the error might not be replaced: that takes memory. */
    @Test
    void errorInAReadEndsThePrefetchAndNotItsThread() throws IOException {
        StampedStore store = new StampedStore(100);
        Set<Thread> readers = ConcurrentHashMap.newKeySet();
        store.beforeRead(page -> {
            readers.add(Thread.currentThread());
            throw new OutOfMemoryError("injected");
        });
        try (BufferPool pool =
                small().frames(40).tuning(t -> t.prefetchThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            for (int round = 0; round < 3; round++) {
                expectDone(file.prefetch(3, 8), 0, 1);
            }
            assertThat(readers).hasSize(1);
            pool.checkIntegrity();
            store.beforeRead(page -> StampedStore.Outcome.GOOD);
            expectDone(file.prefetch(3, 8), 8, 0);
        }
    }

    /** There may be no thread left to begin them: when memory runs out, one ends and is not replaced. */
    @Test
    void prefetchesThatNoThreadHasBegunEndWhenThePoolCloses() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool =
                impatient().frames(40).tuning(t -> t.prefetchThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            Prefetch begun = file.prefetch(3, 8);
            gate.awaitReached();
            Prefetch queued = file.prefetch(20, 8);
            assertThatThrownBy(pool::close).isInstanceOf(WaitTimeoutException.class);
            assertThat(queued.isDone()).as("the queued one is done").isTrue();
            assertThat(begun.isDone()).isFalse();
            gate.open();
            expectDone(begun, 1, 0);
            expectDone(file.prefetch(20, 8), 8, 0);
        }
    }
}
