// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PageId;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("both-tables")
class ScatteredPrefetchTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static BufferPool pool(int frames, int threads) {
        return small().frames(frames).tuning(t -> t.prefetchThreads(threads)).build();
    }

    private static long[] ids(PagedFile file, long... pages) {
        return LongStream.of(pages).map(file::id).toArray();
    }

    private static void expectDone(Prefetch ahead, int pages, int read, int failed) {
        assertThat(ahead.await(Workers.LIMIT)).isTrue();
        assertThat(ahead.isDone()).isTrue();
        assertThat(ahead.pages()).isEqualTo(pages);
        assertThat(ahead.pagesRead()).isEqualTo(read);
        assertThat(ahead.pagesFailed()).isEqualTo(failed);
    }

    @Test
    void pagesOfSeveralFilesAreReadOnceInTheOrderOfFileAndNumber() throws IOException {
        List<String> order = new CopyOnWriteArrayList<>();
        StampedStore first = new StampedStore(1, 100);
        StampedStore second = new StampedStore(2, 100);
        first.beforeRead(page -> {
            order.add("1/" + page);
            return StampedStore.Outcome.GOOD;
        });
        second.beforeRead(page -> {
            order.add("2/" + page);
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = pool(40, 1)) {
            PagedFile one = pool.open(1, first);
            PagedFile two = pool.open(2, second);
            pool.fix(one.id(50)).close();
            long[] ids = {two.id(3), one.id(90), two.id(1), one.id(7), one.id(50), two.id(3)};
            long[] given = ids.clone();
            Prefetch ahead = pool.prefetch(ids);
            expectDone(ahead, 5, 4, 0);
            assertThat(ahead).hasToString("prefetch of 5 scattered pages: 4 read, 0 failed, done");
            assertThat(order).containsExactly("1/50", "1/7", "1/90", "2/1", "2/3");
            assertThat(ids).isEqualTo(given);
            expectDone(pool.prefetch(ids), 5, 0, 0);
            pool.checkIntegrity();
        }
    }

    @Test
    void ofTooManyPagesTheFirstByFileAndNumberAreRead() throws IOException {
        try (BufferPool pool = pool(40, 4)) {
            PagedFile file = pool.open(0, new StampedStore(100));
            expectDone(
                    pool.prefetch(
                            LongStream.range(0, 60).map(i -> file.id(99 - i)).toArray()),
                    10,
                    10,
                    0);
            expectDone(pool.prefetch(ids(file, 40, 49, 50)), 3, 1, 0);
            expectDone(pool.prefetch(new long[0]), 0, 0, 0);
        }
    }

    @Test
    void pagesThatOccurTwiceCountOnceAmongTheMost() throws IOException {
        try (BufferPool pool = pool(40, 4)) {
            PagedFile file = pool.open(0, new StampedStore(100));
            long[] ids = LongStream.range(0, 30).map(i -> file.id(i / 3)).toArray();
            expectDone(pool.prefetch(ids), 10, 10, 0);
        }
    }

    @Test
    void pagesThatDoNotExistAreSkippedAndFailuresAreCounted() throws IOException {
        StampedStore store = new StampedStore(100);
        store.beforeRead(page -> page == 5 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = pool(80, 2)) {
            PagedFile file = pool.open(0, store);
            PagedFile closed = pool.open(3, new StampedStore(100));
            long ofClosed = closed.id(1);
            closed.close();
            file.truncate(90);
            expectDone(
                    pool.prefetch(new long[] {file.id(5), file.id(95), PageId.of(9, 1), ofClosed, file.id(4)}),
                    5,
                    1,
                    1);
            assertThatThrownBy(() -> pool.prefetch(new long[] {file.id(1), -7}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot prefetch page -7: it is not the id of a page, since ids are not negative");
            assertThat(store.reads).hasValue(2);
            pool.checkIntegrity();
        }
    }

    @Test
    void dropOfAFileDuringAPrefetchLeavesTheOtherFilesPages() throws IOException {
        StampedStore store = new StampedStore(1, 100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = pool(80, 1)) {
            PagedFile dropped = pool.open(1, store);
            PagedFile other = pool.open(2, new StampedStore(2, 100));
            Prefetch ahead = pool.prefetch(new long[] {dropped.id(1), dropped.id(2), dropped.id(3), other.id(4)});
            gate.awaitReached();
            Workers.Worker<Void> dropper = workers.run(dropped::drop);
            dropper.awaitParked();
            gate.open();
            dropper.result();
            expectDone(ahead, 4, 2, 0);
            assertThat(store.reads).hasValue(1);
            assertThat(pool.stats().free()).isEqualTo(79);
            pool.checkIntegrity();
        }
    }

    @Test
    void cancelAndCloseStopIt() throws IOException {
        StampedStore store = new StampedStore(100);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        BufferPool pool = pool(80, 1);
        PagedFile file = pool.open(0, store);
        Prefetch cancelled = pool.prefetch(ids(file, 3, 1, 2));
        gate.awaitReached();
        cancelled.cancel();
        Prefetch queued = pool.prefetch(ids(file, 7, 8));
        Workers.Worker<Void> closer = workers.run(pool::close);
        closer.awaitParked();
        gate.open();
        closer.result();
        expectDone(cancelled, 3, 1, 0);
        expectDone(queued, 2, 0, 0);
        assertThatThrownBy(() -> pool.prefetch(new long[] {1})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void prefetchDoesNotWaitForAFrame() throws IOException {
        try (BufferPool pool = pool(4, 2)) {
            PagedFile file = pool.open(0, new StampedStore(100));
            PageGuard[] guards = new PageGuard[4];
            for (int page = 0; page < 4; page++) {
                guards[page] = pool.fix(file.id(page));
            }
            expectDone(pool.prefetch(ids(file, 50)), 1, 0, 0);
            for (PageGuard guard : guards) {
                guard.close();
            }
            expectRight(pool, file, 50);
        }
    }
}
