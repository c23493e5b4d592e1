// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import com.sun.management.ThreadMXBean;
import io.clockhand.page.SharedUpdatePage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** Measures the memory that a page takes because many threads may update its rows. */
final class ContextBytes {
    private static final int PAGES = 1024;
    /** In the first, classes are loaded. */
    private static final int ROUNDS = 3;

    private ContextBytes() {}

    /**
     * Updates a row of each of many pages whose contexts have gone with a flush; returns the bytes that the thread has
     * allocated for a page.
     */
    static double measure(Path directory) throws IOException {
        ThreadMXBean allocations = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double bytes = 0;
        try (Log log = Log.open(new LogCost(LogCost.Kind.CPU, 0), 1, directory);
                PagesOfPool pages = PagesOfPool.open(true, Rows.LSN_OFFSET, PAGES, log, directory)) {
            SharedUpdatePage page = pages.pool().newSharedUpdatePage();
            for (int round = 0; round < ROUNDS; round++) {
                pages.pool().flush();
                long before = allocations.getCurrentThreadAllocatedBytes();
                for (int number = 0; number < PAGES; number++) {
                    update(page, pages.id(number), log);
                }
                bytes = (double) (allocations.getCurrentThreadAllocatedBytes() - before) / PAGES;
            }
        }
        return bytes;
    }

    private static void update(SharedUpdatePage page, long id, Log log) throws IOException {
        try (SharedUpdatePage fixed = page.fix(id)) {
            fixed.beginUpdate();
            long lsn = log.append(Rows.PADDING, id);
            fixed.putLong(Rows.PADDING, id);
            fixed.endUpdate(lsn);
        }
    }
}
