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
        pool.fixForUpdate(id(1)).close();
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
        assertThat(workers.run(() -> page.read(id(1))).failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("used by thread 'worker'");
        page.close();
        assertThatThrownBy(() -> page.getLong(0)).isInstanceOf(IllegalStateException.class);
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
