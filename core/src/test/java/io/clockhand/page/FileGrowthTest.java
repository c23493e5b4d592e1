// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that grow, by one creator and by many. */
class FileGrowthTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static BufferPoolBuilder patient() {
        return small().waitTimeout(Duration.ofSeconds(20)).exhaustedAfter(Duration.ofSeconds(20));
    }

    private static long create(PagedFile file) throws IOException {
        try (WritablePage created = file.create()) {
            assertThat(StampedStore.isZero(created)).isTrue();
            assertThat(file.pages()).isGreaterThan(PageId.page(created.id()));
            return PageId.page(created.id());
        }
    }

    @Test
    void creationsWriteAtTheSameTime() throws IOException {
        StampedStore store = new StampedStore(0);
        AtomicInteger inside = new AtomicInteger();
        store.beforeWrite(page -> {
            inside.incrementAndGet();
            Workers.await(() -> inside.get() == 3, "the other creations do not write");
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            List<Workers.Worker<Long>> creators = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                creators.add(workers.start(() -> create(file)));
            }
            assertThat(creators).extracting(Workers.Worker::result).containsExactlyInAnyOrder(0L, 1L, 2L);
            assertThat(file.pages()).isEqualTo(3);
            pool.checkIntegrity();
        }
    }

    @Test
    void pageExistsWhenAllPagesBeforeItAreWritten() throws IOException {
        StampedStore store = new StampedStore(0);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            if (page == 0) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Long> first = workers.start(() -> create(file));
            gate.awaitReached();
            Workers.Worker<Long> second = workers.start(() -> create(file));
            second.awaitParked();
            assertThat(file.pages()).isZero();
            gate.open();
            assertThat(first.result()).isZero();
            assertThat(second.result()).isEqualTo(1);
        }
    }

    @Test
    void pageThatCannotBeWrittenIsAHoleIfLaterPagesAreWritten() throws IOException {
        StampedStore store = new StampedStore(0);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            if (page == 1) {
                gate.pass();
                return StampedStore.Outcome.FAILED;
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            create(file);
            Workers.Worker<Long> failing = workers.start(() -> create(file));
            gate.awaitReached();
            Workers.Worker<Long> second = workers.start(() -> create(file));
            second.awaitParked();
            gate.open();
            assertThat(failing.failure()).isInstanceOf(IOException.class).hasMessageContaining("page 1 of stamped");
            assertThat(second.result()).isEqualTo(2);
            assertThat(file.pages()).isEqualTo(3);
            assertThatThrownBy(() -> pool.fix(file.id(1)))
                    .isInstanceOf(NoSuchPageException.class)
                    .hasMessageContaining("could not be written when it was created");
            assertThat(create(file)).isEqualTo(3);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
            file.truncate(1);
            assertThat(create(file)).isEqualTo(1);
            pool.fix(file.id(1)).close();
            pool.checkIntegrity();
        }
    }

    @Test
    void storeIsTruncatedAfterAFailedCreation() throws IOException {
        StampedStore store = new StampedStore(5);
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> create(file)).isInstanceOf(IOException.class);
            assertThat(file.pages()).isEqualTo(5);
            assertThat(store.pages()).isEqualTo(5);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
            assertThat(create(file)).isEqualTo(5);
        }
    }

    @Test
    void closeOfThePoolTruncatesAfterAFailedCreationThatCouldNotBeTruncatedAtOnce() throws IOException {
        StampedStore store = new StampedStore(5);
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        store.beforeTruncate(pages -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> create(file))
                    .isInstanceOf(IOException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
            assertThat(store.pages()).isEqualTo(6);
            store.beforeTruncate(pages -> StampedStore.Outcome.GOOD);
        }
        assertThat(store.pages()).isEqualTo(5);
    }

    @Test
    void closeOfTheFileTruncatesAfterAFailedCreationThatCouldNotBeTruncatedAtOnce() throws IOException {
        StampedStore store = new StampedStore(5);
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        store.beforeTruncate(pages -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> create(file)).isInstanceOf(IOException.class);
            store.beforeTruncate(pages -> StampedStore.Outcome.GOOD);
            file.close();
        }
        assertThat(store.pages()).isEqualTo(5);
    }

    /** Otherwise the truncation that follows the first creation would remove the page of the second one. */
    @Test
    void creationWaitsForTheTruncationAfterAFailedCreation() throws IOException {
        StampedStore store = new StampedStore(10);
        AtomicInteger writes = new AtomicInteger();
        Gate truncation = new Gate();
        store.beforeWrite(
                page -> writes.getAndIncrement() == 0 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        store.beforeTruncate(pages -> {
            truncation.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Long> failing = workers.start(() -> create(file));
            truncation.awaitReached();
            Workers.Worker<Long> second = workers.start(() -> create(file));
            second.awaitParked();
            truncation.open();
            assertThat(failing.failure()).hasMessageContaining("injected");
            assertThat(second.result()).isEqualTo(10);
            assertThat(store.pages()).isEqualTo(11);
            pool.checkIntegrity();
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
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        store.beforeTruncate(pages -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = patient().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> create(file)).isInstanceOf(IOException.class);
            store.beforeTruncate(pages -> StampedStore.Outcome.GOOD);
            assertThatThrownBy(() -> file.close()).hasMessageContaining("cannot close stamped");
            file.close();
        }
        assertThat(closes).hasValue(2);
        assertThat(store.tooLate).hasValue(0);
        assertThat(store.pages()).isEqualTo(5);
    }

    @Test
    void pendingCloseTruncatesNoPagesOfATornFile() throws IOException {
        StampedStore store = new StampedStore(5);
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        store.beforeTruncate(pages -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> create(file)).isInstanceOf(IOException.class);
            store.beforeTruncate(pages -> StampedStore.Outcome.GOOD);
            try (PageGuard user = pool.fix(file.id(3))) {
                assertThatThrownBy(() -> file.close()).isInstanceOf(WaitTimeoutException.class);
                assertThat(StampedStore.isRight(user, 3)).isTrue();
            }
        }
        assertThat(store.pages()).isEqualTo(5);
    }

    @Test
    void manyCreatorsMakeEachPageOnce(@TempDir Path folder) throws IOException {
        int threads = 16;
        int each = 200;
        try (BufferPool pool = patient().frames(64).build()) {
            PagedFile file = pool.open(0, folder.resolve("growing.db"), FileOption.CREATE);
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
            pool.checkIntegrity();
        }
    }
}
