// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.PinTrace;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.Prefetcher;
import io.clockhand.internal.file.Removal;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.internal.page.PageCounters;
import io.clockhand.internal.page.PagePool;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.policy.ReplacementPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A buffer pool: keeps pages of files in memory outside the Java heap, for many threads at once.
 *
 * <p>To <i>fix</i> a page is to find it, or read it in, and to latch it; it stays, it is <i>pinned</i>, until it is unfixed: close the
 * {@linkplain PageGuard guard}. A page that nobody has pinned leaves when the {@linkplain io.clockhand.policy.Policies replacement
 * policy} needs its frame. {@linkplain OptimisticPage Optimistic readers} do neither pin nor latch.
 *
 * <pre>{@code
 * try (BufferPool pool = BufferPool.builder().pageBytes(4096).frames(10_000).build()) {
 *     int orders = pool.open(Path.of("orders.db"));
 *     try (PageGuard page = pool.fix(PageId.of(orders, 42), LatchMode.SHARED)) {
 *         long customer = page.getLong(16);
 *     }
 * }
 * }</pre>
 *
 * <p>A hit takes no lock and allocates nothing but the guard, and not even that with a {@linkplain #newGuard guard of one's own}:
 * to fix a page to read it takes one atomic operation, which pins and latches it at once, and one to unfix it, both on the same word, and
 * one more on the word beside it while the page's weight is below the policy's cap; the other modes take a pin and a latch. So with
 * Nb-GCLOCK, which is lock-free; the other policies take their lock. A miss takes no lock around its read; in {@link PageIn#COALESCED}
 * mode others wait for it, and {@link PageIn#BLOCKING}, which is for comparisons, does take one.
 *
 * <p>A page can have 65,535 pins and as many readers at a time; one more is an {@link IllegalStateException}.
 *
 * <p>Pages cannot be changed yet, but for {@link #create}. Thread-safe, by platform and virtual threads. Waits are uninterruptible and
 * bounded; interrupts are kept.
 *
 * <p>Source: M. Yui, J. Miyazaki, S. Uemura, H. Yamana, Nb-GCLOCK, ICDE 2010.
 */
public final class BufferPool implements AutoCloseable {
    /** Leaks are detected. */
    private static final int TRACKED = 0b01;

    private static final int CLOSED = 0b10;

    /** As the builder has it; empty if it has none. */
    private final String name;

    private final FileTable files;
    private final PagePool pages;
    private final Prefetcher prefetcher;
    private final Latches latches;
    /** Null if leaks are not detected. */
    private final PinTracker pinTracker;

    private final int frames;
    private final Duration waitTimeout;
    private final long waitNanos;
    private final ReentrantLock closing = new ReentrantLock();
    /** {@link #TRACKED} and {@link #CLOSED}, or 0: in one word, so that a hit asks once. Changed under {@code closing}. */
    private volatile int state;

    private final PoolWatch watch;

    BufferPool(BufferPoolBuilder builder, ReplacementPolicy policy) {
        this.name = builder.name();
        this.frames = builder.frames();
        this.waitTimeout = builder.waitTimeout();
        this.waitNanos = waitTimeout.toNanos();
        this.files = new FileTable(name, builder.pageBytes(), waitNanos);
        this.pinTracker = builder.detectsLeaks() ? new PinTracker(files::describe) : null;
        this.pages = new PagePool(
                builder.poolOptions(pinTracker),
                builder.pageBytes(),
                policy,
                builder.table()::create,
                files,
                builder.pageIn() == PageIn.OPTIMISTIC,
                builder.pageIn() == PageIn.BLOCKING);
        this.latches = pages.latches();
        this.prefetcher = new Prefetcher(pages, builder.prefetchThreads());
        this.state = pinTracker == null ? 0 : TRACKED;
        this.watch = PoolWatch.begun(this, builder); // the last: others see the pool from now on
    }

    /** {@return a builder with the default settings} */
    public static BufferPoolBuilder builder() {
        return new BufferPoolBuilder();
    }

    // --- files -------------------------------------------------------------------------------------------------------

    /**
     * Opens a file for this pool; makes it, empty, if there is none. The pool closes it in the end. Numbers are not used again: a pool can
     * open 1,048,576 files in its life.
     *
     * @param file the file; nobody else may use it meanwhile, this pool included
     * @return its number, for {@link PageId#of}
     * @throws IOException if it cannot be opened, is in use, or its length is no multiple of the page size
     */
    public int open(Path file) throws IOException {
        checkOpen();
        PageStore store = FilePageStore.open(file, pageBytes());
        boolean added = false;
        try {
            int number = open(store);
            added = true;
            return number;
        } finally {
            if (!added) {
                store.close();
            }
        }
    }

    /**
     * Adds a store to this pool, which closes it in the end.
     *
     * @param store a store whose pages have the size of this pool's; nobody else may use it meanwhile
     * @return its number, for {@link PageId#of}
     * @throws IOException if its length cannot be found out
     * @throws IllegalArgumentException if its pages have another size, or it is in this pool already
     */
    public int open(PageStore store) throws IOException {
        checkOpen();
        return files.add(store);
    }

    /**
     * {@return how many pages a file has; those that could not be written when they were created, while later ones could, are among them}
     *
     * @param file its number
     */
    public long pages(int file) {
        return files.pages(file);
    }

    /**
     * Leaves the first pages of a file only, in the pool and in its store; others may work with it meanwhile. When the creations under way
     * have ended the other pages are taken away from those who come; then this waits for those who use them already. A thread that has one of
     * them fixed must not create pages of the file meanwhile: it and this would wait for each other until one gives up. What the operating
     * system has is not forced.
     *
     * @param file the number of the file
     * @param pages how many pages stay; no more than there are
     * @throws IOException if the store could not be cut off
     * @throws IllegalArgumentException if there is no such file, or it has fewer pages
     * @throws IllegalStateException if the pool is closed
     * @throws WaitTimeoutException if pages of the file were being created, or cut off by another thread, for too long: then nothing has
     *     changed; or if a page was in use for too long, by this thread perhaps: then, and after an {@code IOException}, the pages are gone
     *     ({@link #pages} tells), but none can be created until this was called again with success
     */
    public void truncate(int file, long pages) throws IOException {
        checkOpen();
        files.truncate(file, pages, this.pages::invalidate);
    }

    /**
     * Takes a file out of the pool and closes it; others may work with it meanwhile, as with {@link #truncate}. Its number is not used
     * again.
     *
     * @param file the number of the file
     * @throws IOException if it could not be closed
     * @throws IllegalArgumentException if there is no such file any more
     * @throws IllegalStateException if the pool is closed
     * @throws WaitTimeoutException as {@link #truncate}; this can be called again
     */
    public void close(int file) throws IOException {
        checkOpen();
        files.remove(file, Removal.CLOSE, pages::invalidate);
    }

    /**
     * Takes a file out of the pool and deletes it; see {@link #close(int)}.
     *
     * @param file the number of the file
     * @throws IOException if it could not be deleted
     * @throws IllegalArgumentException if there is no such file any more
     * @throws IllegalStateException if the pool is closed
     * @throws WaitTimeoutException as {@link #truncate}; this can be called again
     */
    public void drop(int file) throws IOException {
        checkOpen();
        files.remove(file, Removal.DROP, pages::invalidate);
    }

    // --- pages -------------------------------------------------------------------------------------------------------

    /**
     * Fixes a page, with a new guard.
     *
     * @param id the page
     * @param mode how it is latched
     * @return the guard, to be closed
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public PageGuard fix(long id, LatchMode mode) throws IOException {
        return new PageGuard(this).fix(id, mode);
    }

    /**
     * Writes a page of zeros behind the last page of a file, and fixes it exclusively. When this returns the file has the
     * page, but what the operating system has is not forced.
     *
     * @param file the number of the file
     * @return the guard, to be closed; its {@link PageGuard#id} is the new page's
     * @throws IOException if the page could not be written; the file is as long as before, unless pages were created meanwhile
     * @throws IllegalArgumentException if there is no such file
     * @throws IllegalStateException if the pool is closed, the file is full, or a {@linkplain #truncate cut} of it must be completed first
     * @throws PoolExhaustedException if every frame was pinned for too long; the file has the page
     * @throws WaitTimeoutException if others that create pages of the file or cut it off, or have found the new page, were busy for too
     *     long; the file may have the page
     */
    public PageGuard create(int file) throws IOException {
        checkOpen();
        PageGuard guard = new PageGuard(this);
        long id = files.append(file);
        int frame;
        try {
            frame = pages.pinZero(id);
        } finally {
            files.arrived(file);
        }
        guard.hold(frame, id, LatchMode.EXCLUSIVE);
        return guard;
    }

    /**
     * Begins to bring pages in that will be needed soon, and returns. Threads of the pool do it: so many pages at a time as {@linkplain
     * BufferPoolBuilder#prefetchThreads the builder says}, a quarter of the frames at most for one call, and nothing if they have too
     * much to do already. Pages that are here stay as they are. It never waits for a frame, but in {@link PageIn#BLOCKING} mode for the lock.
     *
     * @param id the first page
     * @param pages how many pages of the file, from that one on; at least 1
     * @return what tells how far it is, and can be cancelled
     * @throws IllegalArgumentException if there never was such a file
     * @throws IllegalStateException if the pool is closed
     */
    public Prefetch prefetch(long id, int pages) {
        checkOpen();
        if (pages < 1) {
            throw new IllegalArgumentException("pages is " + pages + "; it must be at least 1");
        }
        long left = pages(PageId.file(id)) - PageId.page(id);
        int most = Math.min(pages, Math.max(1, frames / 4));
        return new Prefetch(prefetcher.start(id, (int) Math.max(0, Math.min(left, most))));
    }

    /** {@return a guard that has no page yet, to be used again and again by its owner} */
    public PageGuard newGuard() {
        return new PageGuard(this);
    }

    /** {@return a reader that has no page yet, to be used again and again by its owner} */
    public OptimisticPage newOptimisticPage() {
        return new OptimisticPage(this);
    }

    // --- what guards do ----------------------------------------------------------------------------------------------

    PagePool pages() {
        return pages;
    }

    /** {@return where guards note what they have pinned; null if leaks are not detected} */
    PinTracker pinTracker() {
        return pinTracker;
    }

    String describe(long id) {
        return files.describe(id);
    }

    boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    void checkOpen() {
        if (isClosed()) {
            throw new IllegalStateException("the pool is closed");
        }
    }

    int pin(long id) throws IOException {
        checkOpen();
        return pages.pin(id);
    }

    /** Takes a share in the latch of a page that was found or read in, and notes whose it is if leaks are detected. */
    void share(long id, FrameRef read, PageView owner) throws IOException {
        if (state == 0) {
            share(id, read);
            return;
        }
        checkOpen();
        share(id, read);
        if (pinTracker != null) { // else a close was under way, and was refused
            trackShare(id, read, owner);
        }
    }

    private void trackShare(long id, FrameRef read, PageView owner) {
        boolean tracked = false;
        try {
            owner.track(pinTracker, id, LatchMode.SHARED);
            tracked = true;
        } finally {
            if (!tracked) { // for want of memory
                pages.endShare(read);
            }
        }
    }

    private void share(long id, FrameRef read) throws IOException {
        int frame = pages.share(id, read);
        if (frame == PagePool.SHARED) {
            return;
        }
        try {
            latch(frame, id, LatchMode.SHARED);
            pages.beginShared(frame, read);
        } finally {
            unpin(frame);
        }
    }

    void unpin(int frame) {
        pages.unpin(frame);
    }

    void latch(int frame, long id, LatchMode mode) {
        boolean latched = switch (mode) {
            case SHARED -> latches.tryShared(frame);
            case UPDATE -> latches.tryUpdate(frame);
            case EXCLUSIVE -> latches.tryExclusive(frame);
        };
        if (!latched) {
            awaitLatch(frame, id, mode, false);
        }
    }

    void upgrade(int frame, long id) {
        if (!latches.tryUpgrade(frame)) {
            awaitLatch(frame, id, LatchMode.EXCLUSIVE, true);
        }
    }

    private void awaitLatch(int frame, long id, LatchMode mode, boolean upgrade) {
        WaitEvent event = FlightEvents.waiting();
        boolean latched = false;
        try {
            latched = switch (mode) {
                case SHARED -> latches.acquireShared(frame, waitNanos);
                case UPDATE -> latches.acquireUpdate(frame, waitNanos);
                case EXCLUSIVE ->
                    upgrade ? latches.upgrade(frame, waitNanos) : latches.acquireExclusive(frame, waitNanos);
            };
        } finally {
            if (event != null && event.isWanted()) {
                event.record(name, "latch " + mode.words(), describe(id), !latched);
            }
        }
        if (!latched) {
            throw timeout(frame, id, mode);
        }
    }

    void unlatch(int frame, LatchMode mode) {
        switch (mode) {
            case SHARED -> throw new AssertionError("a share is released by the one who has it");
            case UPDATE -> latches.releaseUpdate(frame);
            case EXCLUSIVE -> latches.releaseExclusive(frame);
        }
    }

    private WaitTimeoutException timeout(int frame, long id, LatchMode mode) {
        return new WaitTimeoutException("waited " + waitTimeout.toMillis() + " ms to latch " + describe(id) + " "
                + mode.words() + "; it is " + latches.describe(frame));
    }

    // --- the pool ----------------------------------------------------------------------------------------------------

    /** {@return the size of a page in bytes} */
    public int pageBytes() {
        return pages.memory().pageBytes();
    }

    /** {@return how many pages fit in} */
    public int frames() {
        return frames;
    }

    /**
     * Starts or stops counting what {@link #stats} says; off at the beginning. Nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collectStats(boolean on) {
        pages.collect(on);
    }

    /** {@return figures; finding them out looks at every frame} */
    public PoolStats stats() {
        PageCounters counted = pages.counters();
        return new PoolStats(
                counted.hits(),
                counted.misses(),
                counted.prefetches(),
                counted.reads(),
                counted.wastedReads(),
                counted.failedReads(),
                pages.evictions(),
                pages.framesScanned(),
                pages.pinned(),
                pages.free(),
                frames);
    }

    String name() {
        return name;
    }

    FileTable files() {
        return files;
    }

    /**
     * Lists what is pinned, by guards and by optimistic readers that had to latch their page, at about this moment. A thread that is on
     * its way to a page, because it reads it or waits for its latch, is not among them. Costs most for pins that were never listed
     * before, whose stacks must be worked out.
     *
     * @return the pins, the oldest first
     * @throws IllegalStateException if this pool does not {@linkplain BufferPoolBuilder#detectLeaks detect leaks}, so that it does not
     *     know; an empty list would say that nothing is pinned
     */
    public List<PinTrace> pins() {
        if (pinTracker == null) {
            throw new IllegalStateException("the pool does not know its pins: " + PinTracker.HINT);
        }
        return pinTracker.traces();
    }

    /**
     * Checks the invariants of a pool that nobody uses at the moment; for tests.
     *
     * @throws IllegalStateException if one does not hold
     */
    public void checkIntegrity() {
        pages.checkIntegrity();
    }

    /**
     * Closes the pool and its files. Read-aheads are cancelled, even if it is refused. Guards must be closed before; a fix that begins at
     * the same time fails, or gives a guard that must be closed still. Memory is freed when no guard and no optimistic reader refers to the pool any more.
     *
     * @throws IllegalStateException if pages are pinned; they are named, and the pool stays open. If it detects leaks, the message has the
     *     oldest pins, and their stacks are suppressed exceptions of this one
     * @throws WaitTimeoutException if a page was being read ahead or created, or a file cut off, for too long; the pool stays open
     * @throws IOException if a file could not be closed; the pool is closed nevertheless
     */
    @Override
    public void close() throws IOException {
        closing.lock();
        try {
            if (isClosed()) {
                return;
            }
            int open = state;
            boolean refused = true;
            try {
                prefetcher.pause(waitTimeout); // they pin pages
                refuseWhilePinned(); // first, so that a close that is refused keeps nobody from fixing pages
                state = open | CLOSED;
                files.shut();
                refuseWhilePinned(); // what was fixed in between
                refused = false;
            } finally {
                if (refused) {
                    state = open;
                    files.reopen();
                    prefetcher.resume();
                }
            }
            prefetcher.stop();
            try {
                files.close();
            } finally {
                watch.close();
            }
        } finally {
            closing.unlock();
        }
    }

    private void refuseWhilePinned() {
        int pinned = pages.pinned();
        if (pinned > 0) {
            String message = "the pool cannot be closed, since " + pinned + " of its " + frames + " frames are pinned ("
                    + pages.describePinned(3) + "): close every guard first";
            throw pinTracker == null
                    ? new IllegalStateException(message + "; " + PinTracker.HINT)
                    : pinTracker.refused(message);
        }
    }
}
