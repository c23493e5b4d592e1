// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleConsumer;

/**
 * The end of a run that has changed pages: the pool writes what is dirty and closes, then the pages are read again.
 *
 * @param store of the pages, without the device
 */
record Ending(RunOrder order, BufferPool pool, PageStore store) {
    /** In which the pool is to be closed, apart from the time that a slow device needs. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long TICK_MILLIS = 200;

    /** Writes what is dirty, and closes the pool; {@return the seconds that took} Throws if it takes too long. */
    double close(DoubleConsumer progress) throws Exception {
        long begin = System.nanoTime();
        long limit = limit().toNanos();
        FutureTask<Void> close = new FutureTask<>(() -> {
            pool.close();
            return null;
        });
        Thread closer = new Thread(close, "close of the pool");
        closer.setDaemon(true);
        closer.start();
        while (true) {
            long elapsed = System.nanoTime() - begin;
            try {
                close.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (TimeoutException e) {
                if (elapsed > limit) {
                    throw new IOException(
                            "the pool was not flushed and closed within " + limit().toSeconds() + " s; "
                                    + pool.dirtyPages() + " pages are dirty still",
                            e);
                }
                progress.accept((double) elapsed / limit); // anew, or the run would count as hung
            }
        }
    }

    /** A device needs a second for each of its pages; twice that is enough. */
    private Duration limit() {
        long rate = order.writing().deviceWrites();
        return rate == 0 ? LIMIT : LIMIT.plusSeconds(2L * pool.frames() / rate);
    }

    /** Reads all pages with a key; {@return how often they were changed, all together} Throws if one is another. */
    long changes(int keys) throws IOException {
        int pageBytes = order.pool().pageBytes();
        ByteBuffer page = ByteBuffer.allocateDirect(pageBytes);
        long changes = 0;
        try (PageStore written = order.pages().io().reopen(store, order.pages(), pageBytes)) {
            for (long key = 0; key < keys; key++) {
                long number = key * order.pages().spread();
                written.read(number, page.clear());
                if (page.getLong(0) != PageContent.of(number)) {
                    throw new IOException("after the close, page " + number + " of " + written.name()
                            + " has another content: " + PageContent.describe(page.getLong(0)));
                }
                changes += PageContent.changes(number, page.getLong(PageContent.CHANGES_OFFSET));
            }
        }
        return changes;
    }
}
