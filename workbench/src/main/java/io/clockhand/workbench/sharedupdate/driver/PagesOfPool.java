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
    static final int FRAMES = 64;

    /**
     * Makes a pool and an empty file.
     *
     * @param shared whether rows are updated at the same time
     * @param lsnOffset where the pool stores LSNs; negative for nowhere
     */
    static PagesOfPool open(boolean shared, int lsnOffset, Log log, Path directory) throws IOException {
        BufferPoolBuilder builder = BufferPool.builder()
                .pageBytes(Rows.PAGE_BYTES)
                .frames(FRAMES)
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
        return new PagesOfPool(pool, pool.open(0, path, FileOption.CREATE), path);
    }

    /** Adds a page of zeros; {@return its id} */
    long create() throws IOException {
        try (WritablePage created = file.create()) {
            created.beginUpdate();
            created.fill(0, Rows.PAGE_BYTES, (byte) 0);
            created.endUnloggedUpdate();
        }
        pool.flush();
        return file.id(0);
    }

    @Override
    public void close() throws IOException {
        pool.close();
    }
}
