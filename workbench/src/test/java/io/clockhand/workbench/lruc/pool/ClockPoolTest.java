// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.workbench.lruc.pool.ComparedPool.PageUser;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClockPoolTest {
    private static final int PAGES = 40;
    private static final int PAGE_BYTES = 512;

    private final MemoryPageStore store = new MemoryPageStore("pages", PAGE_BYTES);

    @BeforeEach
    void fillStore() throws IOException {
        for (long page = 0; page < PAGES; page++) {
            write(page, PageContent.of(page));
        }
    }

    private void write(long page, long content) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        bytes.putLong(content).putLong(content);
        store.write(page, bytes.rewind());
    }

    private long changes() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        long changes = 0;
        for (long page = 0; page < PAGES; page++) {
            store.read(page, bytes.clear());
            changes += PageContent.changes(page, bytes.getLong(PageContent.CHANGES_OFFSET));
        }
        return changes;
    }

    @Test
    void pageIsMissedOnceAndItsChangesAreWrittenAtTheClose() throws IOException {
        try (ComparedPool pool = Pools.make("clock-c", store, 20, 1)) {
            PageUser user = pool.newUser();

            assertThat(user.use(7, false)).isTrue();
            assertThat(user.use(7, true)).isFalse();
            assertThat(user.use(7, true)).isFalse();
            assertThat(user.use(8, true)).isTrue();
            assertThat(pool.figures().misses()).isEqualTo(2);
        }

        assertThat(changes()).isEqualTo(3);
    }

    @Test
    void fullPoolHasNoFreeFrameAndCountsItsWrites() throws IOException {
        try (ClockPool pool = new ClockPool(store, 20, "lru")) {
            PageUser user = pool.newUser();
            for (long page = 0; page < PAGES; page++) {
                assertThat(user.use(page, true)).isTrue();
            }

            assertThat(pool.free()).isZero();
            PoolFigures figures = pool.figures();
            assertThat(figures.misses()).isEqualTo(PAGES);
            assertThat(figures.pagesWritten()).isBetween(20L, 40L);
            assertThat(figures.framesScanned()).isPositive();
            assertThat(figures.since(figures).misses()).isZero();
        }
    }

    @Test
    void wrongPageIsNotUsed() throws IOException {
        write(9, PageContent.of(10));

        try (ComparedPool pool = Pools.make("pool:lru", store, 20, 1)) {
            PageUser user = pool.newUser();

            assertThatThrownBy(() -> user.use(9, false))
                    .isInstanceOf(IOException.class)
                    .hasMessage("page 9 has another content: that of page 10");
            assertThatThrownBy(() -> user.use(9, true)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void noChangeOfSeveralThreadsIsLost() throws Exception {
        int threads = 4;
        int each = 5_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (ComparedPool pool = Pools.make("clock-c", store, 20, 1)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                PageUser user = pool.newUser();
                int own = t;
                ends.add(executor.submit(() -> {
                    for (int n = 0; n < each; n++) {
                        user.use((n * 7L + own) % PAGES, true);
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get(4, TimeUnit.MINUTES);
            }
        } finally {
            executor.shutdownNow();
        }

        assertThat(changes()).isEqualTo((long) threads * each);
    }
}
