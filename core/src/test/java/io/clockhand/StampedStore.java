// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store of as many pages as one likes, whose every eight bytes say which page they belong to. Pages that were written are
 * counted and forgotten. A test may fail, shorten or stop its reads.
 */
class StampedStore implements PageStore {
    static final int PAGE_BYTES = 512;

    final AtomicLong reads = new AtomicLong();
    private final AtomicLong pages;
    private volatile Hook beforeRead = page -> Outcome.GOOD;
    private volatile boolean closed;

    /** What becomes of a read. */
    enum Outcome {
        GOOD,
        FAILED,
        SHORT
    }

    /** Decides it. */
    interface Hook {
        Outcome onRead(long page) throws IOException;
    }

    StampedStore(long pages) {
        this.pages = new AtomicLong(pages);
    }

    void beforeRead(Hook hook) {
        beforeRead = hook;
    }

    static long stamp(long page) {
        return page * 0x1_0000_0001L + 7;
    }

    /** {@return whether a page is what it should be, looked at at its begin and its end} */
    static boolean isRight(PageView view, long page) {
        return view.getLong(0) == stamp(page)
                && view.getLong(PAGE_BYTES - Long.BYTES) == stamp(page)
                && view.getInt(PAGE_BYTES / 2 + Integer.BYTES) == (int) stamp(page);
    }

    @Override
    public String name() {
        return "stamped";
    }

    @Override
    public int pageBytes() {
        return PAGE_BYTES;
    }

    @Override
    public long pages() {
        return pages.get();
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        reads.incrementAndGet();
        Outcome outcome = beforeRead.onRead(page);
        if (outcome == Outcome.FAILED || closed) {
            throw new IOException("cannot read page " + page + " of stamped: injected");
        }
        int least = outcome == Outcome.SHORT ? PAGE_BYTES / 2 : 0;
        long stamp = stamp(page);
        while (target.remaining() > least) {
            target.putLong(stamp);
        }
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        source.position(source.limit());
        pages.accumulateAndGet(page + 1, Math::max);
    }

    @Override
    public void force() {
        // nothing is kept
    }

    @Override
    public void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
