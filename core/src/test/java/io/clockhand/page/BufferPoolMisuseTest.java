// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong settings, and guards and files that are used in a wrong way: an exception says what was wrong. */
class BufferPoolMisuseTest {
    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    @Test
    void misuseOfGuardsIsNamed() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PageGuard guard = pool.fix(file.id(1));
            assertThatThrownBy(() -> guard.fix(file.id(2)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the guard of page 1 of stamped has a page already");
            expectForeign(guard::close);
            guard.close();
            assertThatThrownBy(guard::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("page 1 of stamped is not open");
            assertThatThrownBy(() -> guard.getLong(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> pool.newGuard().close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("never fixed");
            pool.checkIntegrity();
        }
    }

    private void expectForeign(Workers.Work use) {
        assertThat(workers.run(use).failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "belongs to thread '" + Thread.currentThread().getName())
                .hasMessageContaining("used by thread 'worker'");
    }

    /** Elsewhere the check would cost more than the read. */
    @Test
    void poolThatDetectsLeaksNamesTheReadOfAnotherThread() throws IOException {
        try (BufferPool pool = small().detectLeaks(true).build();
                OptimisticPage optimistic = pool.newOptimisticPage();
                OptimisticGroup group = pool.newOptimisticGroup(2)) {
            PagedFile file = pool.open(0, new StampedStore(10));
            optimistic.read(file.id(2));
            group.read(new long[] {file.id(3), file.id(0)}, 0, 2);
            try (PageGuard guard = pool.fix(file.id(0));
                    WritablePage writable = pool.fixExclusive(file.id(1))) {
                for (PageView view : new PageView[] {guard, writable, optimistic, group.page(0), group.page(1)}) {
                    for (Consumer<PageView> read : READS) {
                        read.accept(view);
                        expectForeign(() -> read.accept(view));
                    }
                }
            }
        }
    }

    private static final List<Consumer<PageView>> READS = List.of(
            view -> view.getByte(0),
            view -> view.getShort(0),
            view -> view.getInt(0),
            view -> view.getLong(0),
            view -> view.getBytes(0, new byte[0], 0, 0),
            view -> view.getBytes(0, new byte[9], 0, 9),
            view -> view.getDoubles(0, new double[0], 0, 0),
            view -> view.getFloats(0, new float[9], 0, 9),
            view -> view.compareBytes(0, 1, new byte[1], 0, 1),
            view -> view.searchSlots(0, 0, 0, new byte[0], 0, 0),
            PageView::slab,
            PageView::slabOffset);

    @Test
    void readWithoutAPageIsNamed() throws IOException {
        try (BufferPool pool = small().build();
                OptimisticPage optimistic = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PageGuard closed = pool.fix(file.id(0));
            closed.close();
            WritablePage downgraded = pool.fixExclusive(file.id(1));
            PageGuard upgraded = pool.fixUpgradable(file.id(2));
            SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(3));
            rows.close();
            optimistic.read(file.id(4));
            optimistic.close();
            try (PageGuard reads = downgraded.downgrade();
                    WritablePage writes = upgraded.upgrade()) {
                for (PageView view : new PageView[] {
                    closed, downgraded, upgraded, rows, optimistic, pool.newGuard(), pool.newOptimisticPage()
                }) {
                    for (Consumer<PageView> read : READS) {
                        assertThatThrownBy(() -> read.accept(view), "a read by " + view + ", which has no page")
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("is not open");
                    }
                }
                assertThat(reads.getLong(0) + writes.getLong(0)).isNotZero();
            }
        }
    }

    /** The id 0 stands for no thread. */
    @Test
    void threadWhoseIdIsNotPositiveGetsNoPage() throws Exception {
        try (BufferPool pool = small().build();
                OptimisticPage optimistic = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PageGuard reader = pool.fix(file.id(1));
            PageGuard guard = pool.newGuard();
            guard.fix(file.id(1)).close();
            List<Throwable> failures = new CopyOnWriteArrayList<>();
            Thread thread = new Thread("zero") {
                @Override
                public long getId() {
                    return 0;
                }

                @Override
                public void run() {
                    failures.add(catchThrowable(() -> guard.fix(file.id(1))));
                    guard.close(); // must not release the share of the reader
                    failures.add(catchThrowable(() -> optimistic.read(file.id(1))));
                }
            };
            thread.start();
            thread.join();
            assertThat(failures)
                    .hasSize(2)
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("the id of thread 'zero' is 0"));
            assertThat(pool.stats().pinned()).as("that of the reader").isEqualTo(1);
            reader.close();
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
        }
    }

    @Test
    void pagesThatAreNotThereAreNamed() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            for (long id : new long[] {file.id(10), PageId.of(1, 0), Long.MAX_VALUE}) {
                assertThatThrownBy(() -> pool.fix(id)).isInstanceOf(NoSuchPageException.class);
                assertThatThrownBy(() -> pool.newOptimisticPage().read(id)).isInstanceOf(NoSuchPageException.class);
            }
            for (long id : new long[] {-1, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> pool.fix(id)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> pool.newOptimisticPage().read(id))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> pool.fix(file.id(10)))
                    .hasMessageContaining("there is no page 10 of stamped: it has 10 pages");
            assertThatThrownBy(() -> pool.fix(PageId.of(7, 3)))
                    .hasMessage(
                            "there is no page 3 of file 7: no file of that number is open in this pool; open it first");
            pool.checkIntegrity();
        }
    }

    @Test
    void storesOfAnotherPageSizeAndFilesInUseAreRefused() throws IOException {
        Path file = folder.resolve("a.db");
        try (BufferPool pool = small().build();
                BufferPool other = small().build()) {
            assertThatThrownBy(() -> pool.open(0, new MemoryPageStore("m", 1024)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot open m: its pages have 1024 bytes, but those of this pool have 512");
            pool.open(0, file, FileOption.CREATE);
            assertThatThrownBy(() -> other.open(0, file)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> pool.open(1, file)).isInstanceOf(IOException.class);
            StampedStore store = new StampedStore(1);
            pool.open(1, store);
            assertThatThrownBy(() -> pool.open(2, store)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.open(0, store))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot open stamped: it is in a pool already");
        }
        try (BufferPool pool = small().build()) {
            pool.open(0, file);
        }
    }

    @Test
    void closeWithPinnedPagesNamesThemAndTakesTheirBytes() throws IOException {
        BufferPool pool = small().build();
        PagedFile file = pool.open(0, new StampedStore(10));
        PageGuard guard = pool.fix(file.id(3));
        OptimisticPage late = pool.newOptimisticPage();
        late.read(file.id(3));
        assertThat(late.validate()).isTrue();
        assertThatThrownBy(pool::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 of its 4 frames are pinned (page 3 of stamped has 1 pin, latched to read");
        assertThat(file.isOpen()).isFalse();
        assertThatThrownBy(() -> guard.getLong(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pool is closed: its guards have no pages any more");
        guard.close();
        assertThat(late.validate()).isFalse();
        assertThatThrownBy(() -> late.getLong(0)).isInstanceOf(IllegalStateException.class);
        pool.close();
        assertThatThrownBy(() -> late.read(PageId.of(0, 3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the pool is closed");
        assertThatThrownBy(() -> pool.fix(PageId.of(0, 3))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pool.open(1, new StampedStore(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void wrongSettingsAreRefused() {
        assertThatThrownBy(() -> Pools.builder().pageBytes(1000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Pools.builder().frames(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Pools.builder().capacityBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Pools.builder().capacityBytes(4095).build()).hasMessageContaining("holds 0 pages");
        assertThatThrownBy(() -> Pools.builder().policy("nonsense").build()).hasMessageContaining("nb-gclock3");
        assertThatThrownBy(() -> Pools.builder().waitTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> Pools.builder().pageBytes(1 << 16).frames(1 << 26).build())
                .hasMessageContaining("-XX:MaxDirectMemorySize=");
        assertThat(Pools.builder().capacityBytes(1 << 20).build().frames()).isEqualTo(256);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT876600H0.000000001S", "PT2562047788015215H30M7S"})
    void waitThatIsNotPositiveOrHasNoEndIsRefused(String duration) {
        Duration wait = Duration.parse(duration);
        String message = " is " + wait + "; it must be longer than 0, and not longer than PT876600H (a century)";
        assertThatThrownBy(() -> Pools.builder().waitTimeout(wait))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("waitTimeout" + message);
        assertThatThrownBy(() -> Pools.builder().exhaustedAfter(wait))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("exhaustedAfter" + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT876600H"})
    void shortestAndLongestWaitAreTaken(String duration) throws IOException {
        Duration wait = Duration.parse(duration);
        try (BufferPool pool = small().waitTimeout(wait).exhaustedAfter(wait).build()) {
            expectRight(pool, pool.open(0, new StampedStore(1)), 0);
        }
    }

    @Test
    void idsArePackedAndChecked() {
        long id = PageId.of(PageId.GREATEST_FILE, PageId.GREATEST_PAGE);
        assertThat(id).isEqualTo(Long.MAX_VALUE);
        assertThat(PageId.file(id)).isEqualTo(PageId.GREATEST_FILE);
        assertThat(PageId.page(id)).isEqualTo(PageId.GREATEST_PAGE);
        assertThat(PageId.page(PageId.of(3, 1L << 33))).isEqualTo(1L << 33);
        assertThatThrownBy(() -> PageId.of(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageId.of(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageId.of(1 << 20, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageId.of(0, 1L << 43)).isInstanceOf(IllegalArgumentException.class);
    }
}
