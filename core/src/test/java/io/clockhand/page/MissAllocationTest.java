// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Page-ins make no garbage, compiled or not. */
@Tag("nightly")
class MissAllocationTest {
    private static final int PAGE_BYTES = 4096;
    private static final int FRAMES = 16;
    private static final int PAGES = 8 * FRAMES;
    private static final int ROUNDS = 8;
    /** Less than one object for each page-in, but more than what the measuring itself allocates. */
    private static final long NEARLY_NOTHING = PAGES * ROUNDS * 8L;

    @Test
    void pageInFromAFileAllocatesNothing(@TempDir Path folder) throws Exception {
        PageStore store = FilePageStore.open(folder.resolve("pages.db"), PAGE_BYTES, FileOption.CREATE);
        try (BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.flushThreads(0))
                .build()) {
            store.extend(PAGES);
            pool.open(0, store);
            PageGuard guard = pool.newGuard();
            readAll(guard); // each buffer gets its view
            assertThat(Allocations.ofEachRun(() -> readAll(guard))).isLessThan(NEARLY_NOTHING);
        }
    }

    /** In order, through far fewer frames: each fix is a miss. */
    private static void readAll(PageGuard guard) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            for (int page = 0; page < PAGES; page++) {
                try (PageGuard fixed = guard.fix(PageId.of(0, page))) {
                    assert fixed.getLong(0) == 0;
                }
            }
        }
    }
}
