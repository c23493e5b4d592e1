// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.page.OptimisticPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The strongest exclusive protocol: the page is looked up in a pool without an atomic operation, and locked; under the
 * lock are only the dirty mark, the log record, the change and the page's LSN, by plain stores.
 */
final class LockedPage extends HotPage {
    private static final long NONE = -1;
    /** The cell of {@code recLsn} that is used; the others keep its line of the processor's cache from changing. */
    private static final int AT = 16;

    private final Mutex mutex;
    private final ByteBuffer bytes;
    /** The LSN from which on redo would begin; under the lock. */
    private final long[] recLsn = new long[2 * AT + 1];

    LockedPage(Mutex mutex, Rows rows, int lsnBytes, Log log, Path directory) throws IOException {
        super(rows, lsnBytes, log, PagesOfPool.open(false, -1, log, directory));
        this.mutex = mutex;
        this.bytes = ByteBuffer.allocateDirect(Rows.PAGE_BYTES + Rows.PADDING).alignedSlice(Rows.PADDING);
        recLsn[AT] = NONE;
    }

    @Override
    public Updater updater(int thread, boolean counts) {
        return new Locking(thread, counts);
    }

    private final class Locking extends Updater {
        private final OptimisticPage lookup = pages.pool().newOptimisticPage();

        Locking(int thread, boolean counts) {
            super(LockedPage.this, thread, counts);
        }

        @Override
        long update(int offset, long value) throws IOException {
            lookup.read(id);
            lock();
            try {
                if (recLsn[AT] == NONE) {
                    recLsn[AT] = log.end();
                }
                long lsn = log.append(offset, value);
                rows.put(bytes, offset, value);
                raise(lsn);
                return lsn;
            } finally {
                mutex.unlock();
            }
        }

        private void lock() {
            if (!counts) {
                mutex.lock();
            } else if (!mutex.tryLock()) {
                waits++;
                mutex.lock();
            }
        }

        @Override
        public void close() {
            lookup.close();
        }
    }

    private void raise(long lsn) {
        if (wide) {
            if (readWide(bytes) < lsn) {
                writeWide(bytes, lsn);
            }
        } else if (bytes.getLong(Rows.LSN_OFFSET) < lsn) {
            bytes.putLong(Rows.LSN_OFFSET, lsn);
        }
    }

    @Override
    public String check(List<Updater> updaters) {
        mutex.lock();
        try {
            return firstWrong(bytes, updaters);
        } finally {
            mutex.unlock();
        }
    }

    /** Keeps other threads away from a page. */
    interface Mutex {
        void lock();

        /** Does not wait. */
        boolean tryLock();

        void unlock();

        /** Waiters park. Not fair, and so as fast as it can be. */
        final class Parking extends ReentrantLock implements Mutex {
            private static final long serialVersionUID = 1;
        }

        /**
         * Test-and-test-and-set, alone in its lines of the processor's cache: a waiter only reads until it sees the
         * lock free. Waiters never park. {@code held} is set by CAS and cleared with release order.
         */
        final class Spinning implements Mutex {
            private static final int LEAST_BACKOFF = 4;
            private static final int GREATEST_BACKOFF = 1024;

            private final PaddedLong held = new PaddedLong(0);

            @Override
            public void lock() {
                for (int backoff = LEAST_BACKOFF; !tryLock(); backoff = Math.min(GREATEST_BACKOFF, 2 * backoff)) {
                    for (int i = 0; i < backoff; i++) {
                        Thread.onSpinWait();
                    }
                    while (held.getOpaque() != 0) {
                        Thread.onSpinWait();
                    }
                }
            }

            @Override
            public boolean tryLock() {
                return held.getOpaque() == 0 && held.compareAndSet(0, 1);
            }

            @Override
            public void unlock() {
                held.setRelease(0);
            }
        }
    }
}
