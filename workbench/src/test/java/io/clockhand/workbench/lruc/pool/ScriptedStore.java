// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Pages in memory; reads and writes are recorded, fail, and wait as a test wants it. */
final class ScriptedStore implements PageStore {
    static final int PAGE_BYTES = 512;
    private static final int MANY = 1 << 20;

    final List<Long> reads = new CopyOnWriteArrayList<>();
    final List<Long> writes = new CopyOnWriteArrayList<>();
    final Set<Long> unreadable = ConcurrentHashMap.newKeySet();
    final Set<Long> unwritable = ConcurrentHashMap.newKeySet();
    /** Writes that have begun and not ended. */
    final AtomicInteger inFlight = new AtomicInteger();

    final AtomicInteger mostInFlight = new AtomicInteger();

    private final Semaphore writePermits = new Semaphore(MANY);
    private final PageStore pages;

    ScriptedStore(int count) {
        this(filled(count));
    }

    ScriptedStore(PageStore pages) {
        this.pages = pages;
    }

    /** A store with pages that were never changed. */
    static PageStore filled(int count) {
        PageStore pages = new MemoryPageStore("pages", PAGE_BYTES);
        try {
            for (int page = 0; page < count; page++) {
                long content = PageContent.of(page);
                pages.write(
                        page,
                        ByteBuffer.allocate(PAGE_BYTES).putLong(0, content).putLong(Long.BYTES, content));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return pages;
    }

    /** How often the stored page was changed. */
    static long changes(PageStore pages, long page) {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        try {
            pages.read(page, bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return PageContent.changes(page, bytes.getLong(PageContent.CHANGES_OFFSET));
    }

    long changes(long page) {
        return changes(pages, page);
    }

    /** Writes that begin now wait. */
    void holdWrites() {
        writePermits.drainPermits();
    }

    void releaseWrites() {
        writePermits.release(MANY);
    }

    /** Waits for a condition, for a time that only a hang reaches. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("what the test waits for has not happened");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        reads.add(page);
        if (unreadable.contains(page)) {
            throw new IOException("scripted");
        }
        pages.read(page, target);
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        writes.add(page);
        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        writePermits.acquireUninterruptibly();
        writePermits.release();
        inFlight.decrementAndGet();
        if (unwritable.contains(page)) {
            throw new IOException("scripted");
        }
        pages.write(page, source);
    }

    @Override
    public String name() {
        return pages.name();
    }

    @Override
    public int pageBytes() {
        return PAGE_BYTES;
    }

    @Override
    public long pages() throws IOException {
        return pages.pages();
    }

    @Override
    public void truncate(long count) throws IOException {
        pages.truncate(count);
    }

    @Override
    public boolean tryOwn() {
        return pages.tryOwn();
    }

    @Override
    public void force() throws IOException {
        pages.force();
    }

    @Override
    public void close() throws IOException {
        pages.close();
    }
}
