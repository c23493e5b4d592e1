// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many threads write, which pages, and which frames the next misses get. */
class ElasticFlusherTest {
    private static final int FRAMES = 8;
    private static final int PAGES = 4_000;
    private static final int MANY_FRAMES = 1_024;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(PAGES);

    private static BufferPoolBuilder quiet(int frames) {
        return small().frames(frames)
                .exhaustedAfter(Duration.ofSeconds(20))
                .waitTimeout(Duration.ofSeconds(20))
                .tuning(t -> t.flushInterval(Duration.ofHours(1)));
    }

    private static void change(BufferPool pool, PagedFile file, long page) throws IOException {
        try (WritablePage changed = pool.fixExclusive(file.id(page))) {
            changed.beginUpdate();
            changed.endUpdate();
        }
    }

    private static void read(BufferPool pool, PagedFile file, long page) throws IOException {
        pool.fix(file.id(page)).close();
    }

    /** {@return those of the pages that are in memory} */
    private static List<Long> resident(BufferPool pool, PagedFile file, long from, long to) {
        PageGuard guard = pool.newGuard();
        return LongStream.range(from, to)
                .filter(page -> {
                    boolean found = guard.tryFix(file.id(page));
                    if (found) {
                        guard.close();
                    }
                    return found;
                })
                .boxed()
                .toList();
    }

    /** Two dirty pages and six clean ones; a miss has passed the dirty ones, and they were written. */
    private void fillAndClean(BufferPool pool, PagedFile file) throws IOException {
        change(pool, file, 0);
        change(pool, file, 1);
        for (int page = 2; page < FRAMES; page++) {
            read(pool, file, page);
        }
        read(pool, file, 100);
        Workers.await(() -> pool.dirtyPages() == 0, "a write of both dirty pages");
        Workers.await(() -> pool.pages().pinned() == 0, "the end of the write");
    }

    // --- cleaned frames ----------------------------------------------------------------------------------------------

    @Test
    void pagesThatWereCleanedForAMissAreTheNextVictims() throws IOException {
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            fillAndClean(pool, file);
            read(pool, file, 101);
            read(pool, file, 102);
            assertThat(resident(pool, file, 0, FRAMES)).containsExactly(3L, 4L, 5L, 6L, 7L);
            pool.checkIntegrity();
        }
    }

    @Test
    void cleanedPageThatWasUsedMeanwhileStays() throws IOException {
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            fillAndClean(pool, file);
            read(pool, file, 0);
            read(pool, file, 101);
            read(pool, file, 102);
            assertThat(resident(pool, file, 0, FRAMES)).containsExactly(0L, 4L, 5L, 6L, 7L);
            pool.checkIntegrity();
        }
    }

    @Test
    void newPageInACleanedFrameStays() throws IOException {
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            fillAndClean(pool, file);
            file.truncate(0); // frees all frames; two of them are among the cleaned ones
            while (file.pages() < FRAMES) {
                file.create().close();
            }
            pool.flush();
            file.create().close();
            assertThat(resident(pool, file, 0, FRAMES + 1)).hasSize(FRAMES);
            pool.checkIntegrity();
        }
    }

    // --- how many threads write --------------------------------------------------------------------------------------

    /** Lets writes wait until a number of them is in progress. {@return the greatest number} */
    private AtomicInteger writesInProgress(int expected) {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch reached = new CountDownLatch(expected);
        store.beforeWrite(page -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            reached.countDown();
            try {
                reached.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            now.decrementAndGet();
            return StampedStore.Outcome.GOOD;
        });
        return most;
    }

    private void changeAll(BufferPool pool, PagedFile file) throws IOException {
        for (int page = 0; page < MANY_FRAMES; page++) {
            change(pool, file, 3 * page);
        }
        assertThat(pool.dirtyPages()).isGreaterThan(MANY_FRAMES / 2);
    }

    @Test
    void missThatMeetsDirtyPagesOnlyMakesManyThreadsWrite() throws IOException {
        try (BufferPool pool = quiet(MANY_FRAMES).build()) {
            PagedFile file = pool.open(0, store);
            AtomicInteger most = writesInProgress(MANY_FRAMES / 64);
            changeAll(pool, file);
            read(pool, file, 1);
            assertThat(most.get()).isGreaterThanOrEqualTo(MANY_FRAMES / 64);
            assertThat(pool.stats().writing().readStalls()).isEqualTo(1);
            assertThat(pool.stats().writing().readStallNanos()).isPositive();
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
        }
    }

    @Test
    void flushWritesWithTheThreadsOfTheFlusher() throws IOException {
        try (BufferPool pool = quiet(MANY_FRAMES).build()) {
            PagedFile file = pool.open(0, store);
            changeAll(pool, file);
            AtomicInteger most = writesInProgress(3);
            pool.flush();
            assertThat(pool.dirtyPages()).isZero();
            assertThat(most.get()).isGreaterThanOrEqualTo(3);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
        }
    }

    @Test
    void flushThatCannotWriteAPageFailsAndLeavesItDirty() throws IOException {
        try (BufferPool pool = quiet(MANY_FRAMES).build()) {
            PagedFile file = pool.open(0, store);
            changeAll(pool, file);
            store.beforeWrite(page -> page == 300 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            assertThatThrownBy(pool::flush)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write page 300 of stamped");
            assertThatThrownBy(pool::close).isInstanceOf(IOException.class);
            change(pool, file, 2_999);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
            pool.flush();
            assertThat(pool.dirtyPages()).isZero();
            pool.checkIntegrity();
        }
    }

    // --- pages that cannot be written --------------------------------------------------------------------------------

    @Test
    void pageThatCannotBeWrittenDoesNotFailAMissThatCanHaveAnotherFrame() throws IOException {
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(0)).build()) {
            pool.pages().framePool().useCleaner(() -> {}); // one that lags for ever
            PagedFile file = pool.open(0, store);
            store.beforeWrite(page -> page == 0 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            for (int page = 0; page < FRAMES; page++) {
                change(pool, file, page);
            }
            read(pool, file, 100);
            assertThat(resident(pool, file, 0, 1)).containsExactly(0L);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
        }
    }
}
