// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.PageStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store of any number of pages. The longs of a page are its stamp and, in turn with it, the number of the read, so
 * bytes of another page, or of two reads, are detected. Created pages are read as zeros. A test may fail, shorten or
 * stop reads, and fail writes and truncations.
 */
class StampedStore implements PageStore {
    static final int PAGE_BYTES = 512;

    final AtomicLong reads = new AtomicLong();
    /** Calls after the close; there must be none. */
    final AtomicLong tooLate = new AtomicLong();

    private final int file;
    /** Pages from here on are zero: they were created. */
    private final AtomicLong stamped;

    private final AtomicLong pages;
    private final AtomicBoolean owned = new AtomicBoolean();
    private final Queue<String> runs = new ConcurrentLinkedQueue<>();
    private volatile Hook beforeRead = page -> Outcome.GOOD;
    private volatile Hook beforeWrite = page -> Outcome.GOOD;
    private volatile Hook beforeTruncate = pages -> Outcome.GOOD;
    private volatile Hook beforeRun = page -> Outcome.GOOD;
    private volatile boolean readsRuns;
    private volatile boolean closed;

    /** The outcome of a read or a write. */
    enum Outcome {
        GOOD,
        FAILED,
        SHORT
    }

    /** Called before each; decides the outcome. */
    interface Hook {
        Outcome on(long page) throws IOException;
    }

    StampedStore(long pages) {
        this(0, pages);
    }

    StampedStore(int file, long pages) {
        this.file = file;
        this.stamped = new AtomicLong(pages);
        this.pages = new AtomicLong(pages);
    }

    void beforeRead(Hook hook) {
        beforeRead = hook;
    }

    /**
     * Several pages are read by one call from now on. The hook of a run gets its first page; that of the reads is
     * called for each page of it, too.
     */
    void readRuns(Hook hook) {
        beforeRun = hook;
        readsRuns = true;
    }

    /** {@return the runs that were read, as {@code 7+4} for four pages from page 7 on} */
    List<String> runs() {
        return List.copyOf(runs);
    }

    void beforeWrite(Hook hook) {
        beforeWrite = hook;
    }

    void beforeTruncate(Hook hook) {
        beforeTruncate = hook;
    }

    static long stamp(long page) {
        return stamp(0, page);
    }

    static long stamp(int file, long page) {
        return (page * 0x1_0000_0001L + 7) * 31 + file;
    }

    /** {@return whether every byte of a page is of this page, and of one read} */
    static boolean isRight(PageView view, long page) {
        return isRight(view, 0, page);
    }

    static boolean isRight(PageView view, int file, long page) {
        return isAll(view, stamp(file, page));
    }

    static boolean isZero(PageView view) {
        return isAll(view, 0) && view.getLong(Long.BYTES) == 0;
    }

    private static boolean isAll(PageView view, long stamp) {
        long read = view.getLong(Long.BYTES);
        boolean right = true;
        for (int at = 0; at < PAGE_BYTES; at += 2 * Long.BYTES) {
            right &= view.getLong(at) == stamp && view.getLong(at + Long.BYTES) == read;
        }
        return right;
    }

    static void fill(ByteBuffer target, int least, long stamp, long read) {
        while (target.remaining() > least) {
            target.putLong(stamp).putLong(read);
        }
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
        long number = reads.incrementAndGet();
        expectOpen();
        Outcome outcome = beforeRead.on(page);
        if (page >= pages.get()) {
            throw new EOFException("stamped ends before page " + page);
        }
        if (outcome == Outcome.FAILED) {
            throw new IOException("cannot read page " + page + " of stamped: injected");
        }
        expectOpen();
        boolean zeros = page >= stamped.get();
        fill(target, outcome == Outcome.SHORT ? PAGE_BYTES / 2 : 0, zeros ? 0 : stamp(file, page), zeros ? 0 : number);
    }

    @Override
    public boolean readsRuns() {
        return readsRuns;
    }

    @Override
    public boolean systemReadsAhead() {
        return !readsRuns;
    }

    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += targets[i].remaining();
        }
        runs.add(first + "+" + bytes / PAGE_BYTES);
        if (beforeRun.on(first) == Outcome.FAILED) {
            throw new IOException("cannot read the run that begins with page " + first + " of stamped: injected");
        }
        PageStore.super.readRun(first, targets, count);
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        expectOpen();
        Outcome outcome = beforeWrite.on(page);
        if (outcome == Outcome.FAILED) {
            pages.accumulateAndGet(page + 1, Math::max); // a part of it
            throw new IOException("cannot write page " + page + " of stamped: injected");
        }
        while (source.hasRemaining()) {
            if (source.getLong() != 0) {
                throw new AssertionError("a new page is not zero");
            }
        }
        pages.accumulateAndGet(page + 1, Math::max);
    }

    @Override
    public void truncate(long count) throws IOException {
        expectOpen();
        if (beforeTruncate.on(count) == Outcome.FAILED) {
            throw new IOException("cannot truncate stamped to " + count + " pages: injected");
        }
        stamped.accumulateAndGet(count, Math::min);
        pages.accumulateAndGet(count, Math::min);
    }

    @Override
    public boolean tryOwn() {
        return owned.compareAndSet(false, true);
    }

    @Override
    public void force() {
        // nothing to force
    }

    @Override
    public void close() throws IOException {
        closed = true;
    }

    private void expectOpen() throws IOException {
        if (closed) {
            tooLate.incrementAndGet();
            throw new IOException("stamped is closed");
        }
    }

    boolean isClosed() {
        return closed;
    }
}
