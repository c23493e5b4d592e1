// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;

/**
 * The pages of a run, each with its own content, in memory or in a new file past the page cache of the operating
 * system. The file is deleted at the end. Not thread-safe, but for its store.
 */
final class Database implements AutoCloseable {
    private static final int RUN_BYTES = 1 << 20;

    private final PageStore store;
    private final int pages;

    private Database(PageStore store, int pages) {
        this.store = store;
        this.pages = pages;
    }

    /**
     * Makes the pages.
     *
     * @param file null for memory
     * @param progress receives the part that is made
     */
    static Database make(String file, int pages, int pageBytes, DoubleConsumer progress) throws IOException {
        PageStore store = file == null
                ? new MemoryPageStore("the simulated device", pageBytes)
                : FilePageStore.open(Path.of(file), pageBytes, FileOption.CREATE, FileOption.DIRECT);
        Database made = new Database(store, pages);
        boolean filled = false;
        try {
            made.fill(progress);
            filled = true;
            return made;
        } finally {
            if (!filled) {
                store.delete();
            }
        }
    }

    private void fill(DoubleConsumer progress) throws IOException {
        int pageBytes = store.pageBytes();
        int most = RUN_BYTES / pageBytes;
        ByteBuffer run = ByteBuffer.allocateDirect(RUN_BYTES);
        for (int first = 0; first < pages; first += most) {
            run.clear();
            for (int page = first; page < Math.min(pages, first + most); page++) {
                for (int at = 0; at < pageBytes; at += Long.BYTES) {
                    run.putLong(PageContent.of(page));
                }
            }
            store.writeRun(first, run.flip());
            progress.accept((double) first / pages);
        }
        store.force(); // or the system would write it back while something is measured
    }

    PageStore store() {
        return store;
    }

    /** Reads all pages; {@return how often they were changed, all together} Throws if one is another. */
    long changes(DoubleConsumer progress) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(store.pageBytes());
        long changes = 0;
        for (long page = 0; page < pages; page++) {
            store.read(page, bytes.clear());
            if (bytes.getLong(0) != PageContent.of(page)) {
                throw new IOException("after the close, page " + page + " has another content: "
                        + PageContent.describe(bytes.getLong(0)));
            }
            changes += PageContent.changes(page, bytes.getLong(PageContent.CHANGES_OFFSET));
            progress.accept((double) page / pages);
        }
        return changes;
    }

    @Override
    public void close() throws IOException {
        store.delete();
    }
}
