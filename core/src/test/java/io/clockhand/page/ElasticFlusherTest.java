// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
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

    private final HookedStore store = new HookedStore();

    /** Calls a hook before each write. */
    private static final class HookedStore implements PageStore {
        private final MemoryPageStore pages = new MemoryPageStore("hooked", 512);
        private volatile LongConsumer beforeWrite = page -> {};

        HookedStore() {
            try {
                pages.extend(PAGES);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String name() {
            return pages.name();
        }

        @Override
        public int pageBytes() {
            return pages.pageBytes();
        }

        @Override
        public long pages() throws IOException {
            return pages.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            pages.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            try {
                beforeWrite.accept(page);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            pages.write(page, source);
        }

        @Override
        public void truncate(long count) throws IOException {
            pages.truncate(count);
        }

        @Override
        public boolean tryOwn() {
            return pages.tryOwn();
        }

        @Override
        public void force() throws IOException {
            pages.force();
        }

        @Override
        public void close() throws IOException {
            pages.close();
        }

        void failWritesOf(long bad) {
            beforeWrite = page -> {
                if (page == bad) {
                    throw new UncheckedIOException(new IOException("cannot write page " + bad + " of hooked"));
                }
            };
        }

        void recover() {
            beforeWrite = page -> {};
        }
    }

    private static BufferPoolBuilder quiet(int frames) {
        return small().frames(frames).tuning(t -> t.flushInterval(Duration.ofHours(1)));
    }

    private static void change(BufferPool pool, PagedFile file, long page) throws IOException {
        try (WritablePage changed = pool.fixExclusive(file.id(page))) {
            changed.beginUpdate();
            changed.endUnloggedUpdate();
        }
    }

    private static void read(BufferPool pool, PagedFile file, long page) throws IOException {
        pool.fix(file.id(page)).close();
    }

    /** {@return those of the pages that are in memory} This is no use of a page. */
    private static List<Long> resident(BufferPool pool, PagedFile file, long from, long to) {
        return LongStream.range(from, to)
                .filter(page -> pool.pages().isMapped(file.id(page)))
                .boxed()
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** {@return pages 0 to 7 in the order in which the hand comes to them} */
    private static List<Long> handOrder() throws IOException {
        List<Long> order = new ArrayList<>();
        try (BufferPool pool = quiet(FRAMES).build()) {
            PagedFile file = pool.open(0, new HookedStore());
            for (int page = 0; page < FRAMES; page++) {
                read(pool, file, page);
            }
            for (int page = 0; page < FRAMES; page++) {
                List<Long> before = resident(pool, file, 0, FRAMES);
                read(pool, file, 100 + page);
                before.removeAll(resident(pool, file, 0, FRAMES));
                order.addAll(before);
            }
        }
        return order;
    }

    /** Fills the pool; the first two pages to which the hand comes are dirty. */
    private static void fill(BufferPool pool, PagedFile file, List<Long> order) throws IOException {
        for (long page = 0; page < FRAMES; page++) {
            if (order.indexOf(page) < 2) {
                change(pool, file, page);
            } else {
                read(pool, file, page);
            }
        }
    }

    // --- cleaned frames ----------------------------------------------------------------------------------------------

    /** A miss passes the two dirty pages, and takes the third; then they are written. */
    private void fillAndClean(BufferPool pool, PagedFile file, List<Long> order) throws IOException {
        fill(pool, file, order);
        read(pool, file, 100);
        Workers.await(() -> pool.dirtyPages() == 0, "a write of both dirty pages");
        Workers.await(() -> pool.pages().pinned() == 0, "the end of the write");
        assertThat(resident(pool, file, 0, FRAMES)).doesNotContain(order.get(2)).hasSize(FRAMES - 1);
    }

    @Test
    void pagesThatWereCleanedForAMissAreTheNextVictims() throws IOException {
        List<Long> order = handOrder();
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            fillAndClean(pool, file, order);
            read(pool, file, 101);
            read(pool, file, 102);
            assertThat(resident(pool, file, 0, FRAMES)).containsExactlyInAnyOrderElementsOf(order.subList(3, FRAMES));
            pool.checkIntegrity();
        }
    }

    @Test
    void cleanedPageThatWasUsedMeanwhileStays() throws IOException {
        List<Long> order = handOrder();
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(1)).build()) {
            PagedFile file = pool.open(0, store);
            fillAndClean(pool, file, order);
            read(pool, file, order.get(0));
            read(pool, file, 101);
            read(pool, file, 102);
            assertThat(resident(pool, file, 0, FRAMES))
                    .contains(order.get(0))
                    .doesNotContain(order.get(1), order.get(2), order.get(3))
                    .hasSize(FRAMES - 3);
            pool.checkIntegrity();
        }
    }

    /** The queue names a frame still whose page a flush has written, and which has another page now. */
    @Test
    void newPageInAFrameThatWasQueuedStays() throws IOException {
        List<Long> order = handOrder();
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(0)).build()) {
            pool.pages().queue().use(() -> {}); // one that lags
            PagedFile file = pool.open(0, store);
            fill(pool, file, order);
            read(pool, file, 100);
            pool.flush();
            read(pool, file, 101);
            read(pool, file, 102);
            assertThat(resident(pool, file, 0, FRAMES)).doesNotContain(order.get(0), order.get(1));
            while (pool.pages().writer().writesQueued() || !pool.pages().queue().isEmpty()) {
                pool.pages().writer().writeQueued(1);
            }
            read(pool, file, 103);
            read(pool, file, 104);
            assertThat(resident(pool, file, 100, 105)).hasSize(5);
            pool.checkIntegrity();
        }
    }

    // --- how many threads write --------------------------------------------------------------------------------------

    /** Lets writes wait until a number of them is in progress. {@return the greatest number} */
    private AtomicInteger writesInProgress(int expected) {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch reached = new CountDownLatch(expected);
        store.beforeWrite = page -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            reached.countDown();
            try {
                reached.await(Workers.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            now.decrementAndGet();
        };
        return most;
    }

    private void changeMany(BufferPool pool, PagedFile file, int count) throws IOException {
        for (int page = 0; page < count; page++) {
            change(pool, file, 3L * page);
        }
    }

    @Test
    void missThatMeetsDirtyPagesOnlyMakesManyThreadsWrite() throws IOException {
        try (BufferPool pool = quiet(MANY_FRAMES).build()) {
            PagedFile file = pool.open(0, store);
            AtomicInteger most = writesInProgress(MANY_FRAMES / 64);
            changeMany(pool, file, MANY_FRAMES);
            read(pool, file, 1);
            assertThat(most.get()).isGreaterThanOrEqualTo(MANY_FRAMES / 64);
            assertThat(pool.stats().writing().readStalls()).isEqualTo(1);
            assertThat(pool.stats().writing().readStallNanos()).isPositive();
            store.recover();
        }
    }

    @Test
    void flushWritesWithTheThreadsOfTheFlusher() throws IOException {
        try (BufferPool pool = quiet(MANY_FRAMES).build()) {
            PagedFile file = pool.open(0, store);
            AtomicInteger most = writesInProgress(5); // a quarter of sixteen threads, and this one
            changeMany(pool, file, MANY_FRAMES / 2);
            pool.flush();
            assertThat(pool.dirtyPages()).isZero();
            assertThat(most.get()).isEqualTo(5);
            store.recover();
        }
    }

    @Test
    void flushThatCannotWriteAPageFailsAndLeavesItDirty() throws IOException {
        try (BufferPool pool = quiet(MANY_FRAMES).build()) {
            PagedFile file = pool.open(0, store);
            changeMany(pool, file, MANY_FRAMES / 2);
            store.failWritesOf(300);
            assertThatThrownBy(pool::flush)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write page 300 of hooked");
            assertThatThrownBy(pool::close).isInstanceOf(IOException.class);
            change(pool, file, 2_999);
            store.recover();
            pool.flush();
            assertThat(pool.dirtyPages()).isZero();
            pool.checkIntegrity();
        }
    }

    // --- pages that cannot be written --------------------------------------------------------------------------------

    @Test
    void pageThatCannotBeWrittenDoesNotFailAMissThatCanHaveAnotherFrame() throws IOException {
        try (BufferPool pool = quiet(FRAMES).tuning(t -> t.flushThreads(0)).build()) {
            pool.pages().queue().use(() -> {}); // one that lags for ever
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < FRAMES - 2; page++) {
                change(pool, file, page);
            }
            store.failWritesOf(0);
            try (PageGuard one = pool.fix(file.id(6));
                    PageGuard other = pool.fix(file.id(7))) {
                read(pool, file, 100);
                assertThat(one.id()).isNotEqualTo(other.id());
            }
            assertThat(resident(pool, file, 0, 1)).containsExactly(0L);
            store.recover();
        }
    }
}
