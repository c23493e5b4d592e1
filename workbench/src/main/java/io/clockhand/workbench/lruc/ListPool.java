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
import java.util.stream.Stream;

/**
 * A model of a buffer pool with an LRU list, as InnoDB has it, and of the published schemes against read stalls: a
 * {@link Scheme} states how a miss finds a frame and which pages the flusher writes.
 *
 * <ul>
 *   <li><i>Tail</i> (vanilla, CF-LRU): a miss scans some frames from the tail for a clean one; if there is none, it
 *       writes the page of the first dirty one itself, which is a read stall.
 *   <li><i>WAR</i> (write after read; M. An and others, 2022): it copies such a page to a slot of the temporary write
 *       buffer instead, whose write goes on in the background, and stalls only if no slot is free. A miss on the page of
 *       a slot gets the copy; the frame counts as being written until the slot is, so an older image never overwrites a
 *       newer one.
 *   <li><i>Region</i> (LRU-C; B. Lee, M. An, S.-W. Lee, PVLDB 2023, section 4): the victim is the least recently used
 *       clean page. The paper's pointer is the tail of the list, since dirty frames that a search passes are set aside
 *       in a region of their own, so none is passed twice. The flusher writes that region. A reader writes a page only
 *       if none is clean.
 * </ul>
 *
 * <p>A hit moves the frame to the head of the list, then uses the page under the frame's monitor. A miss takes a frame
 * from the free list or else a victim, maps the page, reads it without any lock, and adds the frame to the list; threads
 * that find the page meanwhile wait for the read. A request that fails ends the run: every later use throws.
 *
 * <p>Locks: the mutex of the list (LRU-M), then that of the region (LRU-D; the same one unless the scheme has two), then
 * the monitor of a frame. None is held during I/O. Shared words:
 *
 * <ul>
 *   <li>The links of a list, and {@code list} of the frames that enter or leave it: under its mutex; {@code list} is
 *       read without to find that mutex, and again under it.
 *   <li>{@code free}, {@code freeSlots}, {@code scanFailed}, and {@code used} of a frame in the list: under LRU-M.
 *   <li>{@code page}, {@code loading}, {@code waiting}, the bytes, and {@code dirty}: written under the frame's monitor.
 *   <li>{@code writing}: set under the mutex of the frame's list, or while the page is loaded; reset by the thread that
 *       has written the page.
 * </ul>
 */
final class ListPool implements ComparedPool {
    /** Writes in flight: as many as Clockhand's own flusher may have in such a pool. */
    private static final int WRITES = 256;

    /** Frames may also become clean without a signal. */
    private static final long RECHECK_MILLIS = 10;

    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NONE = -1;

    private final PageStore store;
    private final Scheme scheme;
    private final Frame[] frames;
    private final ConcurrentHashMap<Long, Frame> table = new ConcurrentHashMap<>();
    private final CountedMutex mixedMutex = new CountedMutex();
    private final LruList mixed = new LruList(mixedMutex);
    private final LruList region;
    private final ArrayDeque<Frame> free = new ArrayDeque<>();
    /** A frame or a slot is free. */
    private final Condition freed = mixedMutex.newCondition();

    private int freeSlots;
    /** Since the flusher has cleaned a page. */
    private boolean scanFailed;

    /** By page: what is being written from slots of the temporary write buffer. */
    private final ConcurrentHashMap<Long, Image> images = new ConcurrentHashMap<>();

    /** Permits of readers to write. */
    private final Semaphore readersWriting;

    private final ThreadLocal<ByteBuffer> copies;
    private final ExecutorService writers = Executors.newFixedThreadPool(WRITES);
    private final AtomicInteger flushing = new AtomicInteger();
    private final Thread flusher = new Thread(() -> background(this::flush), "flusher");
    private volatile boolean closed;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private final LongAdder readStalls = new LongAdder();
    private final LongAdder framesScanned = new LongAdder();
    private final LongAdder pagesWritten = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder batchPages = new LongAdder();

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

    /** A page in a slot of the temporary write buffer. */
    private static final class Image {
        private final long page;
        private final ByteBuffer bytes;
        /** The frame that has got the page again meanwhile. */
        private Frame frame;

        Image(long page, ByteBuffer bytes) {
            this.page = page;
            this.bytes = bytes;
        }
    }

    /** Frames in the order of their last use. */
    private static final class LruList {
        private final ReentrantLock mutex;
        /** Before the head and behind the tail. */
        private final Frame end = new Frame(null);

        LruList(ReentrantLock mutex) {
            this.mutex = mutex;
            end.towardsHead = end;
            end.towardsTail = end;
        }

        Frame tail() {
            return end.towardsHead;
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
        region = new LruList(scheme.twoMutexes() ? new CountedMutex() : mixedMutex);
        freeSlots = scheme.bufferSlots();
        readersWriting = new Semaphore(scheme.serialFlush() ? 1 : Integer.MAX_VALUE);
        copies = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(store.pageBytes()));
        frames = new Frame[count];
        Arrays.setAll(frames, i -> new Frame(ByteBuffer.allocateDirect(store.pageBytes())));
        free.addAll(Arrays.asList(frames));
        flusher.start();
    }

    @Override
    public Figures figures() {
        List<CountedMutex> mutexes = Stream.of(mixed.mutex, region.mutex)
                .distinct()
                .map(CountedMutex.class::cast)
                .toList();
        return new Figures(
                readStalls.sum(),
                framesScanned.sum(),
                pagesWritten.sum(),
                batches.sum(),
                batchPages.sum(),
                mutexes.stream().mapToLong(mutex -> mutex.waits.sum()).sum(),
                mutexes.stream().mapToLong(mutex -> mutex.waitNanos.sum()).sum());
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
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    private void checkOpen() throws IOException {
        Throwable first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
        if (closed) {
            throw new IOException("the pool is closed");
        }
    }

    /** Does nothing if the frame is in no list: it is being loaded, or another thread moves it. */
    private void moveToHead(Frame frame) {
        LruList list = frame.list;
        while (list != null && !moveToHead(frame, list)) {
            list = frame.list;
        }
    }

    private boolean moveToHead(Frame frame, LruList list) {
        list.mutex.lock();
        try {
            if (frame.list != list) {
                return false;
            }
            list.remove(frame);
            if (list == mixed) {
                addHead(frame);
            }
        } finally {
            list.mutex.unlock();
        }
        if (list == region) {
            addHead(frame); // not before, since LRU-M is not taken under LRU-D
        }
        return true;
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
                frame.wait(RECHECK_MILLIS);
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
        synchronized (frame) {
            frame.page = page;
            frame.loading = true;
        }
        if (table.putIfAbsent(page, frame) != null) {
            synchronized (frame) {
                frame.page = NONE;
            }
            addFree(frame);
            return Outcome.RETRY;
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
                    frame.bytes.put(0, image.bytes, 0, store.pageBytes());
                    frame.writing = true;
                    image.frame = frame;
                    return image;
                })
                != null;
    }

    // --- frames for misses -------------------------------------------------------------------------------------------

    /** {@return a frame that is the caller's} */
    private Frame obtain() throws IOException, InterruptedException {
        boolean stalled = false;
        while (true) {
            Frame frame = find();
            stalled |= frame.stalled;
            if (!frame.writing || writeAlone(frame)) {
                frame.stalled = stalled;
                return frame;
            }
        }
    }

    /** Waits for a frame that is free, clean, or, marked as being written, to be written by the caller. */
    private Frame find() throws IOException, InterruptedException {
        Image[] image = new Image[1];
        mixedMutex.lock();
        try {
            boolean waited = false;
            Frame frame = freeOrVictim(image);
            while (frame == null) {
                waited = true;
                checkOpen();
                freed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(RECHECK_MILLIS));
                frame = freeOrVictim(image);
            }
            frame.stalled = waited || frame.writing;
            return frame;
        } finally {
            mixedMutex.unlock();
            if (image[0] != null) {
                submit(image[0]);
            }
        }
    }

    private Frame freeOrVictim(Image[] image) {
        return !free.isEmpty() ? free.pollLast() : scheme.hasRegion() ? findByPointer() : findFromTail(image);
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

    private Frame findFromTail(Image[] image) {
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
        freeSlots--;
        image[0] = copyToSlot(any);
        return any;
    }

    private Frame findByPointer() {
        Frame clean = first(mixed, frames.length, frame -> frame.dirty ? setAside(frame) : evict(frame));
        if (clean != null) {
            return clean;
        }
        region.mutex.lock();
        try {
            return first(region, frames.length, this::beginWrite);
        } finally {
            region.mutex.unlock();
        }
    }

    /** The first frame from the tail that is taken, which may remove it from the list; null if none is. */
    private Frame first(LruList list, int most, Predicate<Frame> takes) {
        int scanned = 0;
        Frame found = null;
        Frame frame = list.tail();
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

    /** Evicts a dirty page. Under LRU-M. */
    private Image copyToSlot(Frame frame) {
        Image image = new Image(frame.page, ByteBuffer.allocate(store.pageBytes()));
        synchronized (frame) {
            image.bytes.put(0, frame.bytes, 0, store.pageBytes());
            images.put(image.page, image); // before the page is unmapped, so that no miss reads an older one
            table.remove(image.page);
            frame.page = NONE;
            frame.dirty = false;
        }
        mixed.remove(frame);
        return image;
    }

    /** Moves a dirty frame of the list to the region; {@return false} Under LRU-M. */
    private boolean setAside(Frame frame) {
        region.mutex.lock();
        try {
            mixed.remove(frame);
            if (region.tail() == region.end && scheme.flush() == Flush.WHOLE_REGION) {
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
        for (LruList list = frame.list; list != null; list = frame.list) {
            list.mutex.lock();
            try {
                if (frame.list == list) {
                    if (list == mixed && byFlusher) {
                        scanFailed = false;
                    }
                    return (list == region || !frame.used) && evict(frame);
                }
            } finally {
                list.mutex.unlock();
            }
        }
        return false;
    }

    // --- writes ------------------------------------------------------------------------------------------------------

    /** Writes a page from a copy, so that it can be used and changed meanwhile. */
    private void write(Frame frame) throws IOException {
        ByteBuffer copy = copies.get().clear();
        synchronized (frame) {
            copy.put(0, frame.bytes, 0, store.pageBytes());
            frame.dirty = false;
        }
        store.write(frame.page, copy);
        pagesWritten.increment();
        frame.writing = false;
    }

    private void submit(Image image) {
        writers.execute(() -> background(() -> {
            store.write(image.page, image.bytes);
            pagesWritten.increment();
            images.computeIfPresent(image.page, (page, same) -> {
                if (image.frame != null) {
                    image.frame.writing = false;
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
        }));
    }

    private void submit(List<Frame> batch) {
        if (batch.isEmpty()) {
            return;
        }
        batches.increment();
        batchPages.add(batch.size());
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
            long left = due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            }
            if (left > 0 && !whole) {
                continue;
            }
            submit(collect());
            long now = System.nanoTime();
            due = !whole
                    ? Math.max(due + scheme.periodNanos(), now)
                    : now + (flushing.get() == 0 ? IDLE_NANOS : scheme.periodNanos());
        }
    }

    /** Chooses pages to write, and frees clean ones among them. */
    private List<Frame> collect() {
        LruList list = scheme.hasRegion() ? region : mixed;
        List<Frame> batch = new ArrayList<>();
        list.mutex.lock();
        try {
            int left = scheme.flush() == Flush.WHOLE_REGION
                    ? frames.length
                    : scheme.pagesPerPeriod() - free.size() - flushing.get();
            Frame next;
            for (Frame frame = list.tail(); frame != list.end && left > 0; frame = next) {
                next = frame.towardsHead;
                if (list == mixed && evict(frame)) {
                    scanFailed = false;
                    addFree(frame);
                    left--;
                } else if (beginWrite(frame)) {
                    batch.add(frame);
                    left--;
                }
            }
        } finally {
            list.mutex.unlock();
        }
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
        if (failure.get() != null) {
            throw new IOException(failure.get().getMessage(), failure.get());
        }
    }

    private static void end(ExecutorService threads) throws InterruptedException {
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            // writes go on
        }
    }
}
