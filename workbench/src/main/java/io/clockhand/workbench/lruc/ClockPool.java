// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.PageId;
import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PoolStats;
import io.clockhand.page.WritablePage;
import io.clockhand.page.WriteStats;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Clockhand's page pool as engines use it, with a policy. Checkpoints and writes of pages that have been dirty for long
 * are off, since the schemes that it is compared with have neither.
 */
final class ClockPool implements ComparedPool {
    /** Longer than any run, so that no page is written for its age. */
    private static final Duration FLUSH_INTERVAL = Duration.ofHours(6);

    /** Longer than a request may wait on a slow device; a pool that hangs fails nevertheless. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final BufferPool pool;
    private final int file;
    private final ThreadLocal<User> users = ThreadLocal.withInitial(User::new);

    ClockPool(PageStore store, int frames, String policy) throws IOException {
        pool = BufferPool.builder()
                .pageBytes(store.pageBytes())
                .frames(frames)
                .policy(policy)
                .exhaustedAfter(LONGEST_WAIT)
                .waitTimeout(LONGEST_WAIT)
                .tuning(tuning -> tuning.flushInterval(FLUSH_INTERVAL))
                .build();
        file = pool.open(0, new Borrowed(store)).number();
        pool.collectStats(true); // also of hits, which are few where misses wait for a device
    }

    @Override
    public boolean use(long page, boolean change) throws IOException {
        User user = users.get();
        long before = user.reads;
        if (change) {
            try (WritablePage fixed = user.writable.fix(PageId.of(file, page))) {
                ComparedPool.check(page, fixed.getLong(0));
                fixed.beginUpdate();
                fixed.putLong(PageContent.CHANGES_OFFSET, fixed.getLong(PageContent.CHANGES_OFFSET) + 1);
                fixed.endUnloggedUpdate();
            }
        } else {
            try (PageGuard fixed = user.guard.fix(PageId.of(file, page))) {
                ComparedPool.check(page, fixed.getLong(0));
            }
        }
        return user.reads != before;
    }

    @Override
    public Figures figures() {
        PoolStats stats = pool.stats();
        WriteStats writing = stats.writing();
        return new Figures(
                writing.readStalls() + writing.pacedChanges(), stats.framesScanned(), writing.pagesWritten());
    }

    @Override
    public void close() throws IOException {
        pool.close();
    }

    /** Of one thread. It misses the pages that it reads itself; threads that wait for such a read do not. */
    private final class User {
        private final PageGuard guard = pool.newGuard();
        private final WritablePage writable = pool.newWritablePage();
        private long reads;
    }

    /** Counts the reads of each thread, and stays open. */
    private final class Borrowed extends ForwardingPageStore {
        Borrowed(PageStore store) {
            super(store);
        }

        @Override
        public void read(long page, ByteBuffer bytes) throws IOException {
            users.get().reads++;
            store.read(page, bytes);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            store.write(page, source);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            store.writeRun(first, source);
        }

        @Override
        public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
            store.writeBatch(pages, from, to, source);
        }

        @Override
        public void close() {
            // the maker of the store closes it
        }
    }
}
