// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.lruc.Scheme.Flush;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * A model of a buffer pool with an LRU list, as InnoDB has it, and of the published schemes against read stalls: a
 * {@link Scheme} states how a miss finds a frame and which pages the flusher writes.
 *
 * <ul>
 *   <li><i>Tail</i> (vanilla, CF-LRU): a miss scans some frames from the tail for a clean one; if there is none, it
 *       writes the page of the first dirty one itself, which is a read stall.
 *   <li><i>WAR</i> (write after read; M. An and others, 2022): it copies such a page to a slot of the temporary write
 *       buffer instead, which is written in the background, and stalls only if no slot is free. A miss on the page of a
 *       slot gets the copy; its frame counts as being written until the slot is, so no older image overwrites a newer.
 *   <li><i>Region</i> (LRU-C; B. Lee, M. An, S.-W. Lee, PVLDB 2023, section 4): the victim is the least recently used
 *       clean page. The paper's pointer is the tail of the list, since dirty frames that a search passes are set aside
 *       in a region of their own, so none is passed twice. The flusher writes that region, and frees the frames of the
 *       pages it has written. A frame whose page could not be evicted then, since a thread waited for it or moved it,
 *       is clean in the region: the flusher frees it in its next period, and a reader that finds no clean page in the
 *       list takes it. A reader writes a page only if none is clean.
 * </ul>
 *
 * <p>A hit moves the frame to the head of the list, then uses the page under the frame's monitor. A miss takes a frame
 * from the free list or else a victim, maps the page, reads it without any lock, and adds the frame to the list;
 * threads that find the page meanwhile wait for the read. A request that fails ends the run: every later use throws.
 *
 * <p>Locks: the mutex of the list (LRU-M), then that of the region (LRU-D; the same unless the scheme has two), then
 * the monitor of a frame. None is held during I/O. Shared words:
 *
 * <ul>
 *   <li>The links of a list, and {@code list} of the frames that enter or leave it: under its mutex; {@code list} is
 *       read without to find that mutex, and again under it.
 *   <li>{@code free}, {@code freeSlots}, {@code scanFailed}, and {@code used} of a frame in the list: under LRU-M.
 *   <li>{@code page}, {@code loading}, {@code waiting}, {@code dirty} and the bytes: written under the frame's monitor.
 *   <li>{@code writing}: set under the mutex of the frame's list, or while the page is loaded; reset by the thread that
 *       has written the page.
 * </ul>
 */
final class ListPool implements ComparedPool {
    /** Writes in flight: as many as Clockhand's own flusher may have in such a pool. */
    private static final int WRITES = 256;

    /** Frames may also become clean without a signal. */
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long NONE = -1;

    private final PageStore store;
    private final Scheme scheme;
    private final Frame[] frames;
    private final ConcurrentHashMap<Long, Frame> table = new ConcurrentHashMap<>();
    private final ReentrantLock mixedMutex = new ReentrantLock();
    private final LruList mixed = new LruList(mixedMutex);
    private final LruList region;
    private final ArrayDeque<Frame> free = new ArrayDeque<>();
    /** A frame or a slot is free. */
    private final Condition freed = mixedMutex.newCondition();

    private int freeSlots;
    /** Since the flusher has cleaned a page. */
    private boolean scanFailed;

    /** By page: what is being written from slots of the temporary write buffer. */
    private final ConcurrentHashMap<Long, ByteBuffer> images = new ConcurrentHashMap<>();

    /** Permits of readers to write. */
    private final Semaphore readersWriting;

    private final ExecutorService writers = Executors.newFixedThreadPool(WRITES);
    private final AtomicInteger flushing = new AtomicInteger();
    private final Thread flusher = new Thread(() -> background(this::flush), "flusher");
    private volatile boolean closed;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private final LongAdder readStalls = new LongAdder();
    private final LongAdder framesScanned = new LongAdder();
    private final LongAdder pagesWritten = new LongAdder();

    private static final class Frame {
        private final ByteBuffer bytes;
        private Frame towardsHead;
        private Frame towardsTail;
        /** Null of a frame that is free, that is being loaded, or that moves. */
        private volatile LruList list;

        private volatile long page = NONE;
        private volatile boolean dirty;
        /** An image of the page is on its way to the store: there is no second one, and no eviction. */
        private volatile boolean writing;

        private boolean loading;
        /** Threads that wait for the page. */
        private int waiting;
        /** Since the write of the page began. */
        private boolean used;
        /** Whether the miss that has obtained the frame has waited for a write. */
        private boolean stalled;

        Frame(ByteBuffer bytes) {
            this.bytes = bytes;
        }
    }

    /** Frames in the order of their last use. */
    private static final class LruList {
        private final ReentrantLock mutex;
        /** Before the head and behind the tail, so the tail lies from it towards the head. */
        private final Frame end = new Frame(null);

        LruList(ReentrantLock mutex) {
            this.mutex = mutex;
            end.towardsHead = end;
            end.towardsTail = end;
        }

        void addHead(Frame frame) {
            frame.towardsHead = end;
            frame.towardsTail = end.towardsTail;
            frame.towardsTail.towardsHead = frame;
            end.towardsTail = frame;
            frame.list = this;
        }

        void remove(Frame frame) {
            frame.towardsHead.towardsTail = frame.towardsTail;
            frame.towardsTail.towardsHead = frame.towardsHead;
            frame.list = null;
        }
    }

    /** Makes an empty pool, and starts its flusher. */
    ListPool(PageStore store, int count, Scheme scheme) {
        this.store = store;
        this.scheme = scheme;
        region = new LruList(scheme.twoMutexes() ? new ReentrantLock() : mixedMutex);
        freeSlots = scheme.bufferSlots();
        readersWriting = new Semaphore(scheme.serialFlush() ? 1 : Integer.MAX_VALUE);
        frames = new Frame[count];
        Arrays.setAll(frames, i -> new Frame(ByteBuffer.allocateDirect(store.pageBytes())));
        free.addAll(Arrays.asList(frames));
        flusher.start();
    }

    @Override
    public Figures figures() {
        return new Figures(readStalls.sum(), framesScanned.sum(), pagesWritten.sum());
    }

    /** For tests: a page is counted as written before its frame is free. */
    int freeFrames() {
        mixedMutex.lock();
        try {
            return free.size();
        } finally {
            mixedMutex.unlock();
        }
    }

    // --- use ---------------------------------------------------------------------------------------------------------

    private enum Outcome {
        HIT,
        MISS,
        /** Another thread has evicted the page, or maps it. */
        RETRY
    }

    @Override
    public boolean use(long page, boolean change) throws IOException, InterruptedException {
        try {
            Outcome outcome = Outcome.RETRY;
            while (outcome == Outcome.RETRY) {
                checkOpen();
                Frame frame = table.get(page);
                outcome = frame == null ? load(page, change) : hit(frame, page, change);
            }
            return outcome == Outcome.MISS;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    private void checkOpen() throws IOException {
        throwFailure();
        if (closed) {
            throw new IOException("the pool is closed");
        }
    }

    private void throwFailure() throws IOException {
        Throwable first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
    }

    private void moveToHead(Frame frame) {
        boolean wasInRegion = underMutexOf(frame, list -> {
            list.remove(frame);
            if (list == mixed) {
                addHead(frame);
            }
            return list == region;
        });
        if (wasInRegion) {
            addHead(frame); // not before, since LRU-M is not taken under LRU-D
        }
    }

    /** Under the mutex of the frame's list; {@return false if it is in none: it is being loaded, or moved} */
    private static boolean underMutexOf(Frame frame, Predicate<LruList> action) {
        for (LruList list = frame.list; list != null; list = frame.list) {
            list.mutex.lock();
            try {
                if (frame.list == list) {
                    return action.test(list);
                }
            } finally {
                list.mutex.unlock();
            }
        }
        return false;
    }

    private void addHead(Frame frame) {
        mixedMutex.lock();
        try {
            mixed.addHead(frame);
            frame.used = true;
        } finally {
            mixedMutex.unlock();
        }
    }

    /** Waits until the page is read. */
    private Outcome hit(Frame frame, long page, boolean change) throws IOException, InterruptedException {
        moveToHead(frame);
        synchronized (frame) {
            frame.waiting++;
            while (frame.page == page && frame.loading) {
                TimeUnit.NANOSECONDS.timedWait(frame, RECHECK_NANOS);
                checkOpen();
            }
            frame.waiting--;
            if (frame.page != page) {
                return Outcome.RETRY;
            }
            visit(frame, change);
            return Outcome.HIT;
        }
    }

    /** Under the frame's monitor. */
    private static void visit(Frame frame, boolean change) throws IOException {
        ComparedPool.check(frame.page, frame.bytes.getLong(0));
        if (change) {
            frame.dirty = true;
            frame.bytes.putLong(PageContent.CHANGES_OFFSET, frame.bytes.getLong(PageContent.CHANGES_OFFSET) + 1);
        }
    }

    private Outcome load(long page, boolean change) throws IOException, InterruptedException {
        Frame frame = obtain();
        if (table.putIfAbsent(page, frame) != null) {
            addFree(frame);
            return Outcome.RETRY;
        }
        synchronized (frame) {
            frame.page = page; // until now others that find the frame retry
            frame.loading = true;
        }
        boolean copied = copyFromSlot(page, frame);
        if (!copied) {
            readStalls.add(frame.stalled ? 1 : 0);
            store.read(page, frame.bytes.clear());
        }
        addHead(frame);
        synchronized (frame) {
            frame.loading = false;
            frame.notifyAll();
            visit(frame, change);
        }
        return copied ? Outcome.HIT : Outcome.MISS;
    }

    private boolean copyFromSlot(long page, Frame frame) {
        return images.computeIfPresent(page, (same, image) -> {
                    frame.bytes.put(0, image, 0, store.pageBytes());
                    frame.writing = true; // until the slot is written
                    return image;
                })
                != null;
    }

    // --- frames for misses -------------------------------------------------------------------------------------------

    /** {@return a frame that is the caller's} */
    private Frame obtain() throws IOException, InterruptedException {
        boolean stalled = false;
        Frame frame;
        do {
            frame = find();
            stalled |= frame.stalled;
        } while (frame.writing && !writeAlone(frame));
        frame.stalled = stalled;
        return frame;
    }

    /** Waits for a frame that is the caller's, or whose page is to be written by the caller, and marked for that. */
    private Frame find() throws IOException, InterruptedException {
        mixedMutex.lock();
        try {
            Frame frame = freeOrVictim();
            boolean waited = frame == null;
            while (frame == null) {
                checkOpen();
                freed.awaitNanos(RECHECK_NANOS);
                frame = freeOrVictim();
            }
            frame.stalled = waited || frame.writing;
            return frame;
        } finally {
            mixedMutex.unlock();
        }
    }

    private Frame freeOrVictim() {
        return !free.isEmpty() ? free.pollLast() : scheme.hasRegion() ? findByPointer() : findFromTail();
    }

    /** {@return whether the frame is the caller's now} */
    private boolean writeAlone(Frame frame) throws IOException, InterruptedException {
        readersWriting.acquire();
        try {
            write(frame);
        } finally {
            readersWriting.release();
        }
        return evictWritten(frame, false);
    }

    private void addFree(Frame frame) {
        mixedMutex.lock();
        try {
            free.addLast(frame);
            freed.signal();
        } finally {
            mixedMutex.unlock();
        }
    }

    // --- victims -----------------------------------------------------------------------------------------------------

    private Frame findFromTail() {
        if (!(scheme.remembersFailedScan() && scanFailed)) {
            Frame clean = first(mixed, scheme.scanDepth(), this::evict);
            if (clean != null) {
                return clean;
            }
            scanFailed = true;
        }
        if (scheme.bufferSlots() == 0) {
            return first(mixed, frames.length, frame -> evict(frame) || beginWrite(frame));
        }
        Frame any = first(mixed, frames.length, frame -> evict(frame) || (frame.dirty && !frame.writing));
        if (any == null || any.list == null) {
            return any;
        }
        if (freeSlots == 0) {
            return null;
        }
        moveToSlot(any);
        return any;
    }

    private Frame findByPointer() {
        Frame clean = first(mixed, frames.length, frame -> frame.dirty ? setAside(frame) : evict(frame));
        if (clean != null) {
            return clean;
        }
        region.mutex.lock();
        try {
            return first(region, frames.length, frame -> evict(frame) || beginWrite(frame));
        } finally {
            region.mutex.unlock();
        }
    }

    /** The first frame from the tail that is taken, which may remove it from the list; null if none is. */
    private Frame first(LruList list, int most, Predicate<Frame> takes) {
        int scanned = 0;
        Frame found = null;
        Frame frame = list.end.towardsHead;
        while (frame != list.end && found == null && scanned < most) {
            scanned++;
            Frame next = frame.towardsHead;
            found = takes.test(frame) ? frame : null;
            frame = next;
        }
        framesScanned.add(scanned);
        return found;
    }

    /** Evicts a clean page that no thread waits for. Under the mutex of its list. */
    private boolean evict(Frame frame) {
        if (frame.dirty || frame.writing) {
            return false;
        }
        synchronized (frame) {
            if (frame.dirty || frame.loading || frame.waiting > 0) {
                return false;
            }
            table.remove(frame.page);
            frame.page = NONE;
        }
        frame.list.remove(frame);
        return true;
    }

    /** Evicts a dirty page, which is written from a slot. Under LRU-M. */
    private void moveToSlot(Frame frame) {
        long page = frame.page;
        ByteBuffer image = ByteBuffer.allocate(store.pageBytes());
        synchronized (frame) {
            image.put(0, frame.bytes, 0, image.capacity());
            images.put(page, image); // before the page is unmapped, so that no miss reads an older one
            table.remove(page);
            frame.page = NONE;
            frame.dirty = false;
        }
        mixed.remove(frame);
        freeSlots--;
        writers.execute(() -> background(() -> writeSlot(page, image)));
    }

    /** Moves a dirty frame of the list to the region; {@return false} Under LRU-M. */
    private boolean setAside(Frame frame) {
        region.mutex.lock();
        try {
            mixed.remove(frame);
            if (region.end.towardsHead == region.end && scheme.flush() == Flush.WHOLE_REGION) {
                LockSupport.unpark(flusher);
            }
            region.addHead(frame);
        } finally {
            region.mutex.unlock();
        }
        return false;
    }

    /** {@return whether the caller is to write the page} Under the mutex of its list. */
    private boolean beginWrite(Frame frame) {
        if (!frame.dirty || frame.writing) {
            return false;
        }
        frame.writing = true;
        frame.used = false;
        return true;
    }

    /** Evicts a page that was written for that, unless it was used since then or is dirty again. */
    private boolean evictWritten(Frame frame, boolean byFlusher) {
        return underMutexOf(frame, list -> {
            if (list == mixed && byFlusher) {
                scanFailed = false;
            }
            return (list == region || !frame.used) && evict(frame);
        });
    }

    // --- writes ------------------------------------------------------------------------------------------------------

    /** Writes a page from a copy, so that it can be used and changed meanwhile. */
    private void write(Frame frame) throws IOException {
        ByteBuffer copy = ByteBuffer.allocate(store.pageBytes());
        synchronized (frame) {
            copy.put(0, frame.bytes, 0, copy.capacity());
            frame.dirty = false;
        }
        store.write(frame.page, copy);
        pagesWritten.increment();
        frame.writing = false;
    }

    private void writeSlot(long page, ByteBuffer image) throws IOException {
        store.write(page, image.duplicate());
        pagesWritten.increment();
        images.computeIfPresent(page, (same, written) -> {
            Frame copied = table.get(page);
            if (copied != null) {
                copied.writing = false;
            }
            return null;
        });
        mixedMutex.lock();
        try {
            freeSlots++;
            freed.signal();
        } finally {
            mixedMutex.unlock();
        }
    }

    private void submit(List<Frame> batch) {
        flushing.addAndGet(batch.size());
        for (Frame frame : batch) {
            writers.execute(() -> background(() -> {
                write(frame);
                if (evictWritten(frame, true)) {
                    addFree(frame);
                }
                flushing.decrementAndGet();
            }));
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void background(Work work) {
        try {
            work.run();
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Of the flusher. Its writes are asynchronous: it submits a batch and goes on. */
    private void flush() {
        boolean whole = scheme.flush() == Flush.WHOLE_REGION;
        long due = System.nanoTime() + (whole ? 0 : scheme.periodNanos());
        while (!closed) {
            LockSupport.parkNanos(this, due - System.nanoTime());
            long now = System.nanoTime();
            if (whole) {
                submit(collect());
                due = now + Math.max(scheme.periodNanos(), flushing.get() == 0 ? RECHECK_NANOS : 0);
            } else if (now - due >= 0) {
                submit(collect());
                due = Math.max(due + scheme.periodNanos(), now);
            }
        }
    }

    /** Chooses pages to write, and frees clean ones among them. */
    private List<Frame> collect() {
        LruList list = scheme.hasRegion() ? region : mixed;
        List<Frame> batch = new ArrayList<>();
        List<Frame> clean = new ArrayList<>();
        list.mutex.lock();
        try {
            int left = scheme.flush() == Flush.WHOLE_REGION
                    ? frames.length
                    : scheme.pagesPerPeriod() - free.size() - flushing.get();
            Frame next;
            for (Frame frame = list.end.towardsHead; frame != list.end && left > 0; frame = next) {
                next = frame.towardsHead;
                if (evict(frame)) {
                    clean.add(frame);
                    left--;
                } else if (beginWrite(frame)) {
                    batch.add(frame);
                    left--;
                }
            }
            if (list == mixed && !clean.isEmpty()) {
                scanFailed = false;
            }
        } finally {
            list.mutex.unlock();
        }
        clean.forEach(this::addFree); // not before, since LRU-M is not taken under LRU-D
        return batch;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closed = true;
        LockSupport.unpark(flusher);
        flusher.join();
        end(writers);
        ExecutorService last = Executors.newFixedThreadPool(WRITES);
        for (Frame frame : frames) {
            if (beginWrite(frame)) {
                last.execute(() -> background(() -> write(frame)));
            }
        }
        end(last);
        throwFailure();
    }

    private static void end(ExecutorService threads) throws InterruptedException {
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            // writes go on
        }
    }
}
