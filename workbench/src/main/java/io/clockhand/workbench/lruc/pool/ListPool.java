// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A buffer pool like that of InnoDB: a table from pages to frames, an LRU list under a mutex, a free list, and a
 * background flusher. A {@link Scheme} states how it finds victims and when it writes dirty pages.
 *
 * <p>How a page is fixed: find and pin its frame under the lock of its chain; move the frame to the head of the list
 * under the mutex; latch it. If the page is not mapped: obtain a frame (this may evict or write another page); map it,
 * latched exclusively, under the lock of the chain; read the page, with no mutex held; release the latch; add the frame
 * to the list. Threads that find the page meanwhile wait for the latch. A thread that finds the page mapped after it
 * has obtained a frame returns the frame.
 *
 * <p>If the page cannot be read, it is unmapped, and the frame is freed by the last thread to unpin it. Threads that
 * waited try again, and get a failure of their own. Failed writes leave pages dirty.
 *
 * <p>{@link FrameLists} states the order of all mutexes and locks.
 */
public final class ListPool implements ComparedPool {
    private final PageStore store;
    private final Frames frames;
    private final Counters counters = new Counters();
    private final FrameLists lists;
    private final AsyncWrites writes;
    private final FrameWriter writer;
    /** Null if there is none. */
    private final WriteBuffer buffer;

    private final Flusher flusher;
    private final FrameSupply supply;
    private volatile boolean closed;

    /**
     * Makes an empty pool, and starts its flusher.
     *
     * @param store has the pages; not closed by the pool
     * @param frames how many pages are in memory at most
     * @param scheme how victims are found and dirty pages are written
     */
    public ListPool(PageStore store, int frames, Scheme scheme) {
        this.store = store;
        this.frames = new Frames(store.pageBytes(), frames, scheme.bufferSlots());
        lists = new FrameLists(this.frames, scheme.twoMutexes());
        writes = new AsyncWrites(scheme.writes(), store.pageBytes());
        writer = new FrameWriter(store, this.frames, counters);
        buffer = scheme.bufferSlots() == 0 ? null : new WriteBuffer(this.frames, scheme.bufferSlots(), writer, writes);
        flusher = new Flusher(this.frames, lists, scheme, writer, writes, counters, buffer);
        VictimSearch victims = scheme.hasRegion()
                ? new CleanPointer(this.frames, lists, counters, flusher::wake)
                : new TailScan(this.frames, lists, scheme, counters, buffer);
        supply = new FrameSupply(this.frames, lists, victims, writer, buffer, scheme.serialFlush());
        flusher.start(victims);
    }

    @Override
    public PageUser newUser() {
        return new User();
    }

    @Override
    public PoolFigures figures() {
        return lists.regionMutex == lists.mixedMutex
                ? counters.figures(frames.free.mutex(), lists.mixedMutex)
                : counters.figures(frames.free.mutex(), lists.mixedMutex, lists.regionMutex);
    }

    // --- use ---------------------------------------------------------------------------------------------------------

    /** Of one thread. */
    private final class User implements PageUser {
        private final FrameSupply.Miss miss = new FrameSupply.Miss(PageBuffers.single(store.pageBytes()));
        private boolean read;

        @Override
        public boolean use(long page, boolean change) throws IOException {
            read = false;
            boolean visited = false;
            while (!visited) {
                int frame = fix(page);
                try {
                    visited = visit(page, frame, change);
                } finally {
                    frames.unpin(frame);
                }
            }
            return read;
        }

        /** {@return a frame, pinned, which had the page} The page may be one that another thread could not read. */
        private int fix(long page) throws IOException {
            if (closed) {
                throw new IOException("the pool is closed, so page " + page + " cannot be used");
            }
            int frame = findAndPin(page);
            if (frame != PageTable.NONE) {
                lists.moveToHead(frame);
                return frame;
            }
            miss.stalled = false;
            return load(page, supply.obtain(page, miss));
        }

        private int findAndPin(long page) {
            synchronized (frames.table.lockOf(page)) {
                int number = frames.table.find(page);
                if (number == PageTable.NONE || number >= frames.count) {
                    return PageTable.NONE;
                }
                frames.words.pin(number);
                return number;
            }
        }

        /** Maps the page to a frame, and reads it, unless it is mapped already. */
        private int load(long page, int frame) throws IOException {
            long stamp = frames.latches.ofFree(frame);
            int number;
            synchronized (frames.table.lockOf(page)) {
                number = frames.table.find(page);
                if (number == PageTable.NONE) {
                    frames.words.occupy(frame, false);
                    frames.table.add(page, frame);
                } else if (number >= frames.count) {
                    buffer.serve(page, number, frame);
                } else {
                    frames.words.pin(number);
                }
            }
            if (number == PageTable.NONE) {
                read(page, frame, stamp);
            } else {
                frames.latches.release(frame, stamp);
            }
            if (number == PageTable.NONE || number >= frames.count) {
                lists.add(frame);
                return frame;
            }
            frames.free.add(frame);
            lists.moveToHead(number);
            return number;
        }

        private void read(long page, int frame, long stamp) throws IOException {
            read = true;
            counters.misses.increment();
            if (miss.stalled) {
                counters.readStalls.increment();
            }
            boolean loaded = false;
            try {
                store.read(page, frames.buffers.transfer(frame));
                loaded = true;
            } catch (IOException | RuntimeException e) {
                throw new IOException("cannot read page " + page + " of " + store.name(), e);
            } finally {
                if (!loaded) {
                    unmap(page, frame);
                }
                frames.latches.release(frame, stamp);
                if (!loaded) {
                    frames.unpin(frame);
                }
            }
        }

        private void unmap(long page, int frame) {
            synchronized (frames.table.lockOf(page)) {
                frames.table.remove(frame);
                frames.words.markFailed(frame);
            }
        }

        /** {@return whether the page was there} */
        private boolean visit(long page, int frame, boolean change) throws IOException {
            long stamp = change ? frames.latches.exclusive(frame, page) : frames.latches.share(frame, page);
            try {
                if (frames.words.isFailed(frame)) {
                    return false;
                }
                ByteBuffer bytes = frames.buffers.of(frame);
                long content = bytes.getLong(0);
                if (content != PageContent.of(page)) {
                    throw new IOException("page " + page + " of " + store.name() + " has the wrong content, "
                            + PageContent.describe(content));
                }
                if (change) {
                    frames.words.markDirty(frame);
                    bytes.putLong(PageContent.CHANGES_OFFSET, bytes.getLong(PageContent.CHANGES_OFFSET) + 1);
                }
                return true;
            } finally {
                frames.latches.release(frame, stamp);
            }
        }
    }

    // --- close -------------------------------------------------------------------------------------------------------

    /** {@inheritDoc} Writes in parallel. All pages are tried; the first failure is thrown, with some of the others. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Failures failures = new Failures();
        failures.collect(flusher::stop);
        failures.collect(writes::awaitAll);
        for (int slots = buffer == null ? 0 : buffer.failedSlots(); slots > 0; slots--) {
            failures.collect(buffer::retry);
        }
        for (int i = 0; i < frames.count; i++) {
            int frame = i;
            if (frames.words.tryBeginWrite(frame)) {
                writes.submit(copy -> failures.collect(() -> writer.write(frame, copy)));
            }
        }
        failures.collect(writes::awaitAll);
        writes.close();
        failures.throwFirst();
    }

    /** The failures of a close. Thread-safe. */
    private static final class Failures {
        private static final int MOST = 10;
        private final ConcurrentLinkedQueue<IOException> failures = new ConcurrentLinkedQueue<>();

        private interface Step {
            void run() throws IOException;
        }

        private void collect(Step step) {
            try {
                step.run();
            } catch (IOException e) {
                failures.add(e);
            }
        }

        private void throwFirst() throws IOException {
            IOException first = failures.poll();
            if (first != null) {
                failures.stream().limit(MOST).forEach(first::addSuppressed);
                throw first;
            }
        }
    }
}
