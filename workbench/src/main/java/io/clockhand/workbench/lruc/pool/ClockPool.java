// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import io.clockhand.PageId;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PoolStats;
import io.clockhand.page.WritablePage;
import io.clockhand.page.WriteStats;
import io.clockhand.workbench.pages.device.ForwardingStore;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Clockhand's page pool as engines use it, with a policy. Thread-safe.
 *
 * <p>Pages are written because misses need frames, and because many are dirty. The schemes that this is compared with
 * have neither checkpoints nor writes of pages that have been dirty for long, so here those are off, too.
 */
public final class ClockPool implements ComparedPool {
    /** Longer than any run, so that no page is written for its age. */
    private static final Duration FLUSH_INTERVAL = Duration.ofHours(6);

    /** Longer than a request may wait on a slow device; a pool that hangs fails nevertheless. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final BufferPool pool;
    private final int file;
    private final ThreadLocal<Reads> reads = ThreadLocal.withInitial(Reads::new);

    /**
     * Makes an empty pool.
     *
     * @param store has the pages; is not closed together with the pool
     * @param policy a name of {@link io.clockhand.policy.Policies}
     * @throws IOException if the store cannot be opened
     */
    public ClockPool(PageStore store, int frames, String policy) throws IOException {
        pool = BufferPool.builder()
                .pageBytes(store.pageBytes())
                .frames(frames)
                .policy(policy)
                .exhaustedAfter(LONGEST_WAIT)
                .waitTimeout(LONGEST_WAIT)
                .tuning(tuning -> tuning.flushInterval(FLUSH_INTERVAL))
                .build();
        boolean opened = false;
        try {
            file = pool.open(0, new Borrowed(store)).number();
            opened = true;
        } finally {
            if (!opened) {
                pool.close();
            }
        }
        pool.collectStats(true); // also of hits, which are few where misses wait for a device
    }

    @Override
    public PageUser newUser() {
        return new User();
    }

    @Override
    public PoolFigures figures() {
        PoolStats stats = pool.stats();
        WriteStats writing = stats.writing();
        return new PoolFigures(
                stats.misses(),
                writing.readStalls() + writing.pacedChanges(),
                stats.framesScanned(),
                writing.pagesWritten(),
                writing.batches(),
                writing.pagesWritten(),
                0,
                0);
    }

    /** {@return the number of frames that hold nothing} */
    int free() {
        return pool.stats().free();
    }

    @Override
    public void close() throws IOException {
        pool.close();
    }

    /** How many pages a thread has read itself: it misses those, others that wait for the page do not. */
    private static final class Reads {
        private long count;
    }

    /** Counts the reads of each thread, and stays open. */
    private final class Borrowed extends ForwardingStore {
        private final PageStore store;

        Borrowed(PageStore store) {
            this.store = store;
        }

        @Override
        protected PageStore target() {
            return store;
        }

        @Override
        public void read(long page, ByteBuffer bytes) throws IOException {
            reads.get().count++;
            super.read(page, bytes);
        }

        @Override
        public void close() {
            // the maker of the store closes it
        }
    }

    private final class User implements PageUser {
        private final PageGuard guard = pool.newGuard();
        private final WritablePage writable = pool.newWritablePage();

        @Override
        public boolean use(long page, boolean change) throws IOException {
            Reads own = reads.get();
            long before = own.count;
            if (change) {
                change(page);
            } else {
                read(page);
            }
            return own.count != before;
        }

        private void read(long page) throws IOException {
            try (PageGuard fixed = guard.fix(PageId.of(file, page))) {
                check(page, fixed.getLong(0));
            }
        }

        private void change(long page) throws IOException {
            try (WritablePage fixed = writable.fix(PageId.of(file, page))) {
                check(page, fixed.getLong(0));
                fixed.beginUpdate();
                fixed.putLong(PageContent.CHANGES_OFFSET, fixed.getLong(PageContent.CHANGES_OFFSET) + 1);
                fixed.endUpdate();
            }
        }

        private static void check(long page, long content) throws IOException {
            if (content != PageContent.of(page)) {
                throw new IOException("page " + page + " has another content: " + PageContent.describe(content));
            }
        }
    }
}
