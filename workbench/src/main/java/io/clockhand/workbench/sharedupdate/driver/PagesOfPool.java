// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A pool with a new file whose pages are all in memory. Nothing is written in the background, so that all that are
 * compared do the same work.
 *
 * @param path of the file
 */
record PagesOfPool(BufferPool pool, PagedFile file, Path path) implements AutoCloseable {
    private static final int FEWEST_FRAMES = 64;

    /**
     * Makes a pool and a file of pages of zeros.
     *
     * @param shared whether rows are updated at the same time
     * @param lsnOffset where the pool stores LSNs; negative for nowhere
     */
    static PagesOfPool open(boolean shared, int lsnOffset, int pages, Log log, Path directory) throws IOException {
        BufferPoolBuilder builder = BufferPool.builder()
                .pageBytes(Rows.PAGE_BYTES)
                .frames(Math.max(FEWEST_FRAMES, 2 * pages))
                .log(log)
                .tuning(tuning -> tuning.flushThreads(0));
        if (shared) {
            builder.sharedUpdates(file -> true);
        }
        if (lsnOffset >= 0) {
            builder.lsnOffset(lsnOffset);
        }
        BufferPool pool = builder.build();
        Path path = directory.resolve("pages");
        PagedFile file = pool.open(0, path, FileOption.CREATE);
        for (int page = 0; page < pages; page++) {
            try (WritablePage created = file.create()) {
                created.beginUpdate();
                created.fill(0, Rows.PAGE_BYTES, (byte) 0);
                created.endUnloggedUpdate();
            }
        }
        pool.flush();
        return new PagesOfPool(pool, file, path);
    }

    long id(long page) {
        return file.id(page);
    }

    @Override
    public void close() throws IOException {
        pool.close();
    }
}
