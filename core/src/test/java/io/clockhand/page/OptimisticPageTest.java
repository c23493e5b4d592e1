// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.WaitTimeoutException;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("both-tables")
class OptimisticPageTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(100);
    private final BufferPool pool = Pools.builder()
            .pageBytes(StampedStore.PAGE_BYTES)
            .frames(4)
            .waitTimeout(Duration.ofMillis(300))
            .build();
    private PagedFile file;
    private OptimisticPage page;

    @BeforeEach
    void openFile() throws IOException {
        file = pool.open(0, store);
        page = pool.newOptimisticPage();
    }

    @AfterEach
    void poolIsWhole() throws IOException {
        page.close();
        pool.checkIntegrity();
        pool.close();
    }

    private long id(long number) {
        return file.id(number);
    }

    private void bringIn(long number) throws IOException {
        pool.fix(id(number)).close();
    }

    @Test
    void readsWithoutAPin() throws IOException {
        bringIn(1);
        page.read(id(1));
        assertThat(pool.stats().pinned()).isZero();
        assertThat(StampedStore.isRight(page, 1)).isTrue();
        assertThat(page.id()).isEqualTo(id(1));
        assertThat(page.validateAndRelease()).isTrue();
        assertThat(page.validateAndRelease()).isTrue();
    }

    @Test
    void pageThatIsNotHereIsReadInAndPinnedForThisRead() throws IOException {
        page.read(id(2));
        assertThat(pool.stats().pinned()).isOne();
        assertThat(StampedStore.isRight(page, 2)).isTrue();
        assertThat(page.validateAndRelease()).isTrue();
        assertThat(pool.stats().pinned()).isZero();
        assertThat(page.validateAndRelease()).isTrue();
        pool.fixExclusive(id(2)).close();
        assertThat(page.validateAndRelease()).isFalse();
        page.read(id(3));
        assertThat(pool.stats().pinned()).isOne();
        page.read(id(2));
        assertThat(pool.stats().pinned()).isZero();
        page.read(id(4));
        page.close();
        page.close();
        assertThat(pool.stats().pinned()).isZero();
    }

    @Test
    void evictionInBetweenIsSeen() throws IOException {
        bringIn(1);
        page.read(id(1));
        for (int other = 10; other < 40; other++) {
            bringIn(other);
        }
        page.getLong(0); // of another page by now, but of memory that is there
        assertThat(page.validateAndRelease()).isFalse();
        page.read(id(1));
        assertThat(StampedStore.isRight(page, 1)).isTrue();
        assertThat(page.validateAndRelease()).isTrue();
    }

    @Test
    void evictionAndReturnToTheSameFrameIsSeen() throws IOException {
        BufferPool one =
                Pools.builder().pageBytes(StampedStore.PAGE_BYTES).frames(1).build();
        PagedFile number = one.open(0, new StampedStore(3));
        one.fix(number.id(1)).close();
        OptimisticPage reader = one.newOptimisticPage();
        reader.read(number.id(1));
        one.fix(number.id(2)).close();
        one.fix(number.id(1)).close();
        assertThat(reader.validateAndRelease()).isFalse();
        one.close();
    }

    @Test
    void readersAndUpdatersDoNotDisturbWritersDo() throws IOException {
        bringIn(1);
        page.read(id(1));
        pool.fix(id(1)).close();
        pool.fixUpgradable(id(1)).close();
        assertThat(page.validateAndRelease()).isTrue();
        pool.fixExclusive(id(1)).close();
        assertThat(page.validateAndRelease()).isFalse();
    }

    @Test
    void pageThatIsBeingWrittenIsWaitedFor() throws IOException {
        try (WritablePage writer = pool.fixExclusive(id(1))) {
            assertThat(workers.run(() -> {
                                OptimisticPage reader = pool.newOptimisticPage();
                                reader.read(id(1));
                            })
                            .failure())
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("latched to write by thread");
            assertThat(writer.id()).isEqualTo(id(1));
        }
        assertThat(pool.stats().pinned()).isZero();
    }

    @Test
    void afterSomeFailuresThePageIsLatched() throws IOException {
        bringIn(1);
        for (int i = 0; i < OptimisticPage.TRIES; i++) {
            page.read(id(1));
            assertThat(pool.stats().pinned()).isZero();
            pool.fixExclusive(id(1)).close();
            assertThat(page.validateAndRelease()).isFalse();
        }
        page.read(id(1));
        assertThat(pool.stats().pinned()).isOne();
        assertThat(page.validateAndRelease()).isTrue();
        assertThat(pool.stats().pinned()).isZero();
        page.read(id(1));
        assertThat(pool.stats().pinned()).isZero();
    }

    @Test
    void parentIsValidatedAfterItsChild() throws IOException {
        bringIn(1);
        try (OptimisticPage child = pool.newOptimisticPage()) {
            page.read(id(1));
            long number = Math.floorMod(page.getLong(0), 100L);
            assertThat(page.validateAndRelease()).isTrue();
            child.read(id(number));
            assertThat(page.validateAndRelease()).isTrue();
            assertThat(StampedStore.isRight(child, number)).isTrue();
            assertThat(child.validateAndRelease()).isTrue();
        }
    }

    @Test
    void optimisticHitsProtectAPageFromEviction() throws IOException {
        bringIn(1);
        for (int other = 10; other < 60; other++) {
            page.read(id(1));
            page.read(id(1));
            assertThat(page.validateAndRelease()).isTrue();
            bringIn(other);
        }
        assertThat(store.reads).hasValue(51);
    }

    @Test
    void policyThatTracksAccessesIsNotifiedThroughAPin() throws IOException {
        try (BufferPool lru = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(2)
                .policy("lru")
                .build()) {
            StampedStore own = new StampedStore(10);
            PagedFile number = lru.open(0, own);
            try (OptimisticPage reader = lru.newOptimisticPage()) {
                for (int other = 2; other < 8; other++) {
                    reader.read(number.id(1));
                    assertThat(lru.stats().pinned()).isOne();
                    assertThat(reader.validateAndRelease()).isTrue();
                    reader.close();
                    lru.fix(number.id(other)).close();
                }
            }
            assertThat(own.reads).hasValue(7);
        }
    }

    @Test
    void misuseIsNamed() throws IOException {
        assertThatThrownBy(page::validate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("never fixed one");
        bringIn(1);
        page.read(id(1));
        assertThatThrownBy(() -> page.getLong(StampedStore.PAGE_BYTES)).isInstanceOf(IndexOutOfBoundsException.class);
        page.close();
        assertThatThrownBy(() -> page.getLong(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void latchedReaderBelongsToItsThread() throws IOException {
        try (BufferPool lru = latchingPool();
                OptimisticPage reader = lru.newOptimisticPage()) {
            PagedFile number = lru.open(0, new StampedStore(10));
            reader.read(number.id(1));
            for (Workers.Work use : new Workers.Work[] {
                () -> reader.read(number.id(2)), reader::validate, reader::validateAndRelease, reader::id, reader::close
            }) {
                assertThat(workers.run(use).failure())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("used by thread 'worker'");
            }
            assertThat(reader.validateAndRelease()).isTrue();
            workers.run(reader::close).result();
        }
    }

    /** Its policy records accesses, so every read latches its page. */
    private static BufferPool latchingPool() {
        return Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(2)
                .policy("lru")
                .build();
    }

    @Test
    void readerWithoutALatchIsUsedByOneThreadAfterTheOther() throws IOException {
        bringIn(1);
        page.read(id(1));
        assertThat(StampedStore.isRight(page, 1)).isTrue();
        workers.run(() -> {
                    assertThat(StampedStore.isRight(page, 1)).isTrue();
                    assertThat(page.id()).isEqualTo(id(1));
                    assertThat(page.validateAndRelease()).isTrue();
                    assertThatThrownBy(() -> page.getLong(StampedStore.PAGE_BYTES))
                            .isInstanceOf(IndexOutOfBoundsException.class);
                    page.read(id(2));
                    assertThat(StampedStore.isRight(page, 2)).isTrue();
                    assertThat(page.validateAndRelease()).isTrue();
                })
                .result();
        assertThat(StampedStore.isRight(page, 2)).isTrue();
        assertThat(page.validate()).isTrue();
        workers.run(page::close).result();
    }

    @Test
    void readGoesOnAfterAValidation() throws IOException {
        bringIn(1);
        page.read(id(1));
        for (int i = 0; i < 3; i++) {
            assertThat(StampedStore.isRight(page, 1)).isTrue();
            assertThat(page.validateAndRelease()).isTrue();
        }
        pool.fixExclusive(id(1)).close();
        assertThat(page.validateAndRelease()).isFalse();
        assertThat(page.validate()).isFalse();
        page.read(id(1));
        assertThat(page.validateAndRelease()).isTrue();
    }

    @Test
    void readGoesOnAfterItsLatchWasReleased() throws IOException {
        try (BufferPool lru = latchingPool();
                OptimisticPage reader = lru.newOptimisticPage()) {
            PagedFile number = lru.open(0, new StampedStore(10));
            reader.read(number.id(1));
            assertThat(lru.stats().pinned()).isOne();
            assertThat(reader.validateAndRelease()).isTrue();
            assertThat(lru.stats().pinned()).isZero();
            assertThat(StampedStore.isRight(reader, 1)).isTrue();
            assertThat(reader.validate()).isTrue();
            lru.fix(number.id(2)).close();
            lru.fix(number.id(3)).close(); // evicts page 1
            assertThat(reader.validate()).isFalse();
        }
    }

    @Test
    void threadThatWaitsForItsOwnReaderIsToldSo() throws IOException {
        try (BufferPool lru = Pools.builder()
                        .pageBytes(StampedStore.PAGE_BYTES)
                        .frames(2)
                        .policy("lru")
                        .detectLeaks(true)
                        .waitTimeout(Duration.ofMillis(50))
                        .build();
                OptimisticPage reader = lru.newOptimisticPage()) {
            PagedFile number = lru.open(0, new StampedStore(10));
            reader.read(number.id(1));
            assertThatThrownBy(() -> lru.fixExclusive(number.id(1)))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("this thread has pages itself, which it may be waiting for. Pins: 1")
                    .hasMessageContaining("page 1 of stamped, latched to read for ")
                    .hasMessageContaining("threadThatWaitsForItsOwnReaderIsToldSo");
            assertThat(workers.run(() -> lru.fixExclusive(number.id(1))).failure())
                    .isInstanceOf(WaitTimeoutException.class)
                    .message()
                    .doesNotContain("this thread has pages itself");
            reader.close();
        }
    }

    @Test
    void failedReadLeavesNothingToRead() throws IOException {
        store.beforeRead(number -> StampedStore.Outcome.FAILED);
        assertThatThrownBy(() -> page.read(id(5)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page 5 of stamped");
        assertThatThrownBy(() -> page.getLong(0)).isInstanceOf(IllegalStateException.class);
        assertThat(pool.stats().pinned()).isZero();
    }
}
