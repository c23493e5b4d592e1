// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.forked;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.MemoryStats;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import java.io.IOException;

/**
 * Writes more pages than fit into a pool, reads them again, and prints the number of right ones and the memory of the
 * pool. Arguments: the size of the pool in bytes, and whether it shall have huge pages.
 */
final class FilledPool {
    private static final int PAGE_BYTES = 4096;

    private FilledPool() {}

    public static void main(String[] args) throws IOException {
        int frames = Integer.parseInt(args[0]) / PAGE_BYTES;
        int pages = frames + frames / 2;
        int right = 0;
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(frames)
                .tuning(tuning -> tuning.hugePages(Boolean.parseBoolean(args[1])))
                .build()) {
            PagedFile file = pool.open(0, new MemoryPageStore("memory", PAGE_BYTES));
            for (int number = 0; number < pages; number++) {
                try (WritablePage page = file.create()) {
                    page.beginUpdate();
                    page.putLong(0, number);
                    page.putLong(PAGE_BYTES - Long.BYTES, ~number);
                    page.endUnloggedUpdate();
                }
            }
            for (int number = 0; number < pages; number++) {
                try (PageGuard page = pool.fix(file.id(number))) {
                    right += page.getLong(0) == number && page.getLong(PAGE_BYTES - Long.BYTES) == ~number ? 1 : 0;
                }
            }
            pool.checkIntegrity();
            MemoryStats memory = pool.stats().memory();
            System.out.println(right + " of " + pages + " pages are right");
            System.out.println(memory.kind() + ", for all pages: " + (memory.bytes() >= (long) frames * PAGE_BYTES));
        }
    }
}
