// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.PageTarget;
import io.clockhand.internal.flush.PageWriter;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.CleanedFrames;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.Spares;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Pages by id in the frames of a {@link FramePool}: hits, misses, optimistic reads. {@link PageMiss} reads the
 * pages in.
 *
 * <p><b>Stale frames.</b> A finder that meets a frame whose content is READY pins it by its identity, in one step. A
 * finder that meets another frame pins it first and then looks the page up again: a pinned frame cannot be bound anew,
 * so if the page is still mapped to it, it is the page's frame for as long as the pin lasts.
 *
 * <p><b>Shares.</b> For a reader, a share in the latch replaces a pin and a latch: see {@link Latches}. A reader that
 * has to wait, for the page or for its latch, pins the frame meanwhile.
 *
 * <p>Thread-safe.
 */
public final class PagePool {
    /** No frame. */
    public static final int NONE = PageTable.NONE;
    /** Returned by {@link #share} when the caller has its share. */
    public static final int SHARED = Residency.SHARED;

    /** After this many lookups of a page, a thread waits for a change of its frame between two of them. */
    private static final int LOOKUPS = 64;

    /** So a few threads with a run each leave most frames to others. */
    private static final int FRAMES_PER_RUN_PAGE = 16;

    /** Of a page that nobody has used but the thread that has read it in. */
    private static final int LOADED_WEIGHT = 1;

    private static final long PAUSE_NANOS = 1_000_000;

    /** The policy is notified of every access. */
    private static final int TRACKS_ACCESSES = 0b0001;

    private static final int COLLECTS = 0b0010;
    /** The pool is closed, for {@link #set}. */
    public static final int CLOSED = 0b0100;
    /** Leaks are detected, for {@link #set}. */
    public static final int TRACKS_PINS = 0b1000;
    /** The pool has failed: each use is refused. */
    public static final int FAILED = 0b1000000;
    /** References are recorded for estimates; cleared while the record pauses. */
    private static final int ADVISES = 0b10000;
    /** The policy has another cap of weights than the one that the pool began with. */
    private static final int HAS_OTHER_CAP = 0b100000;

    private final FramePool pool;
    private final PoolOptions options;
    private final WriteBackQueue queue;
    private final VictimSearch search;
    private final FrameStates states;
    /**
     * The weight up to which a hit adds, with the policy that the pool began with; a final field, since the compiler
     * loads one that is not for each hit again.
     */
    private final int weightCap;

    private final Latches latches;
    private final PageBuffers buffers;
    private final PageTable table;
    private final FrameMemory memory;
    private final PageSource source;
    /** Null if the policy's lock is not held while a page is brought in. */
    private final Lock pageInLock;

    private final DirtyPages dirty;
    /** Null if pages cannot be changed. */
    private final PageWriter writer;

    private final PageMiss miss;
    private final Residency residency;
    private final PageInvalidation invalidation;
    private final ScannedPages scanned;
    /** Null if nothing is read ahead. Set before the pool is used by other threads. */
    private ReadAhead ahead;

    private final int mostInRun;
    private final Spares<PageRun> runs = new Spares<>(PageRun::new);
    private final PoolResize resize;
    private final PageCounters counters;
    /**
     * Flags of the rare work of a hit; 0 on the fast path. One word, so that a hit tests everything at once. Volatile;
     * changed by {@link #set} alone, under the monitor of this.
     */
    private volatile int rareWork;
    /** Null if there is none. Set before {@link #ADVISES}. */
    private Advice advice;

    /**
     * How changed pages are written.
     *
     * @param target takes them
     * @param log the log of the engine
     * @param sharedUpdates the pages that are updated concurrently
     * @param batches the number of batches that can be written at a time
     */
    public record PageWriting(PageTarget target, WriteAheadLog log, SharedUpdates sharedUpdates, int batches) {}

    /** Creates the table of a pool, which needs to know the identity of each frame. */
    public interface TableMaker {
        /**
         * Creates an empty table.
         *
         * @param frames the number of frames
         * @param states holds their identities
         * @return the table
         */
        PageTable make(int frames, FrameStates states);
    }

    /**
     * Creates a pool whose frames are all free.
     *
     * @param options sizes and waits; soft and hard maximum are the same
     * @param pageBytes the size of a page, a power of two
     * @param policy chooses the victims
     * @param tables creates the table
     * @param source reads pages
     * @param optimistic whether a thread that finds a page mapped and not loaded reads it; otherwise it waits
     * @param blocking whether the policy's lock is held while a page is brought in
     */
    public PagePool(
            PoolOptions options,
            int pageBytes,
            ReplacementPolicy policy,
            TableMaker tables,
            PageSource source,
            boolean optimistic,
            boolean blocking) {
        this(options, pageBytes, false, policy, tables, source, null, optimistic, blocking);
    }

    /**
     * Creates a pool whose frames are all free.
     *
     * @param options sizes and waits; soft and hard maximum are the same
     * @param pageBytes the size of a page, a power of two
     * @param hugePages whether pages lie in native memory with huge pages advised, where that is possible
     * @param policy chooses the victims
     * @param tables creates the table
     * @param source reads pages
     * @param writing how changed pages are written; null if none is changed
     * @param optimistic whether a thread that finds a page mapped and not loaded reads it; otherwise it waits
     * @param blocking whether the policy's lock is held while a page is brought in
     */
    public PagePool(
            PoolOptions options,
            int pageBytes,
            boolean hugePages,
            ReplacementPolicy policy,
            TableMaker tables,
            PageSource source,
            PageWriting writing,
            boolean optimistic,
            boolean blocking) {
        int hardFrames = options.hardFrames();
        this.source = source;
        this.counters = new PageCounters(source);
        this.pageInLock = blocking ? new PageInLock(options) : null;
        options.failure().onFailure(() -> set(FAILED, true)); // first, or hits go on
        this.pool = FramePool.ofPages(options, shared(policy), this::describe);
        this.options = options;
        this.states = pool.states();
        this.queue = new WriteBackQueue(pool);
        this.search = new VictimSearch(pool, queue, options, this::onStall);
        this.weightCap = pool.weightCap();
        this.rareWork = pool.tracksAccesses() ? TRACKS_ACCESSES : 0;
        this.table = tables.make(hardFrames, states);
        this.buffers = new PageBuffers(states, options, pageBytes, hugePages);
        this.memory = buffers.memory();
        this.latches = new Latches(states, hardFrames, options.failure());
        this.dirty = new DirtyPages(
                states, hardFrames, writing != null && writing.sharedUpdates().isPossible());
        CleanedFrames cleaned = new CleanedFrames(states, hardFrames);
        this.writer = writing == null
                ? null
                : new PageWriter(
                        pool,
                        queue,
                        cleaned,
                        options,
                        latches,
                        memory,
                        table,
                        writing.target(),
                        writing.log(),
                        writing.sharedUpdates(),
                        dirty,
                        writing.batches(),
                        source::describe);
        HiddenPages hidden = new HiddenPages();
        PageFrames frames = new PageFrames(pool, buffers, table, source, hidden);
        PageSearch pageSearch = new PageSearch(options, pool, search, frames, queue, cleaned, writer);
        this.miss = new PageMiss(pool, pageSearch, frames, buffers, source, dirty, writer, optimistic, counters);
        this.residency = blocking ? new SerializedPageIn(miss, pageInLock) : miss;
        this.mostInRun = PageRun.most(pageBytes);
        this.scanned = new ScannedPages(options.hardFrames(), this::capacity, this::dropScanned);
        this.invalidation = new PageInvalidation(pool, latches, table, source, options, residency, hidden);
        this.resize = new PoolResize(pool, latches, buffers, residency, source, writer, options);
    }

    private void onStall(long nanos) {
        if (writer != null) {
            writer.counters().onReadStall(nanos);
        }
    }

    private ReplacementPolicy shared(ReplacementPolicy policy) {
        return pageInLock == null ? policy : Policies.locked(policy, pageInLock);
    }

    /**
     * {@return the number of buffers that a pool has in addition to those of its frames}
     *
     * @param frames the number of frames
     */
    public static int spares(int frames) {
        return PageBuffers.spares(frames);
    }

    /**
     * {@return the bytes of direct memory that the buffers take when the pool has a number of frames}
     *
     * @param frames the number
     */
    public long directBytes(int frames) {
        int hardFrames = options.hardFrames();
        int spares = spares(hardFrames);
        return FrameMemory.directBytes(memory.pageBytes(), frames + spares, hardFrames + spares);
    }

    /** {@return a reference to no frame of this pool, to be used by one thread} */
    public FrameRef newRef() {
        return new FrameRef(states, latches);
    }

    /** {@return the latches of the frames} */
    public Latches latches() {
        return latches;
    }

    /** {@return the frames} */
    public FramePool framePool() {
        return pool;
    }

    /** {@return the dirty pages that wait to be written} */
    public WriteBackQueue queue() {
        return queue;
    }

    /** {@return the dirty page table} */
    public DirtyPages dirty() {
        return dirty;
    }

    /** {@return the writer of changed pages; null if pages cannot be changed} */
    public PageWriter writer() {
        return writer;
    }

    /** {@return the bytes of the buffers} */
    public FrameMemory memory() {
        return memory;
    }

    // --- fix and unfix -----------------------------------------------------------------------------------------------

    /**
     * Finds a page or reads it in, and pins it.
     *
     * @param id the page
     * @return its frame, pinned; the page is loaded
     * @throws IOException if it could not be read; the next call tries again
     */
    public int pin(long id) throws IOException {
        int near = table.peek(id);
        if (near >= 0) {
            int now = rareWork; // before the CAS, so that nothing waits behind it
            if (tryPinReady(near, id, now == 0 ? weightCap : weightCap())) {
                if (now != 0) {
                    pool.recordAccess(near, null, counters.collectedHits(), counters.collectedHits(id));
                }
                return near;
            }
        }
        return findOrReadIn(id, null);
    }

    private void onHit(int frame, long id) {
        if (rareWork != 0) {
            pool.recordAccess(frame, null, counters.collectedHits(), counters.collectedHits(id));
        }
    }

    /**
     * Finds a page or reads it in, and takes a share in its latch.
     *
     * @param id the page
     * @param read the caller's, which has the share then
     * @return {@link #SHARED} if the caller has the share; or the frame of the page, pinned, if the share must be
     *     waited for
     * @throws IOException if it could not be read; the next call tries again
     */
    public int share(long id, FrameRef read) throws IOException {
        int near = table.peek(id);
        if (near >= 0 && tryShare(near, id, read)) {
            return SHARED;
        }
        pool.enter(); // or the pin or the share might be lost
        return findOrReadIn(id, read);
    }

    /** Finds a page in the table or reads it in; with a reference the caller wants a share, else a pin. */
    private int findOrReadIn(long id, FrameRef read) throws IOException {
        for (int lookups = 0; ; lookups++) {
            int frame = table.find(id);
            if (frame == NONE) {
                source.check(id);
                frame = pageIn(id, read, false);
                if (frame != FramePool.LOST) {
                    recordMiss();
                    return frame;
                }
            } else if (read != null && tryShare(frame, id, read)) {
                return SHARED;
            } else if (tryPinReady(frame, id) || tryPinLoading(frame, id, lookups, weightCap())) {
                onHit(frame, id);
                return frame;
            }
        }
    }

    /**
     * As {@link #share}, for a scan: a page that is resident is used without a word to the policy. One that is read in
     * takes the place of another that a scan has read in, which leaves; under a policy that keeps weights not if
     * somebody has used it since, as far as the weight tells.
     *
     * @param id the page
     * @param read the caller's, which has the share then
     * @return as {@link #share}
     * @throws IOException if it could not be read; the next call tries again
     */
    public int shareForScan(long id, FrameRef read) throws IOException {
        pool.enter();
        for (int lookups = 0; ; lookups++) {
            int frame = table.find(id);
            if (frame == NONE) {
                source.check(id);
                frame = pageIn(id, read, true);
                if (frame != FramePool.LOST) {
                    return frame;
                }
            } else if (states.identity(frame) == id && read.acquireShare(frame, id, 0) >= 0) {
                countScanned(frame, id, read);
                return SHARED;
            } else if (tryPinReady(frame, id, 0) || tryPinLoading(frame, id, lookups, 0)) {
                countScanned(frame, id, null);
                return frame;
            }
        }
    }

    private void dropScanned(long id, boolean ahead) {
        int frame = table.find(id);
        int most = ahead ? 0 : LOADED_WEIGHT;
        if (pool.weightCap() == 0) {
            most = FrameState.MAX_WEIGHT; // it tells nothing: pages that were read ahead have one until they are used
        }
        if (frame != NONE && FrameState.weight(states.state(frame)) <= most && residency.dropClean(frame, id)) {
            search.countEviction();
        }
    }

    /**
     * As {@link #beginUnpinned}, for a scan: under any policy, which is not told.
     *
     * @param id the page
     * @param read the caller's; gives the buffer, and validates in the end
     * @return false if the page is not resident, or is being written
     */
    public boolean beginUnpinnedForScan(long id, FrameRef read) {
        int frame = table.find(id);
        if (frame == NONE || !read.begin(frame, id, 0)) {
            return false;
        }
        counters.hit(id);
        return true;
    }

    private int pageIn(long id, FrameRef read, boolean isScan) throws IOException {
        try {
            int frame = ahead == null ? NONE : ahead.pageIn(id, read, isScan ? scanned : null);
            if (frame != NONE) {
                return frame;
            }
            int place = isScan ? scanned.makePlaces(1) : NONE;
            frame = residency.pageIn(id, read);
            if (isScan && frame != FramePool.LOST) {
                scanned.put(place, id, 1);
            }
            return frame;
        } catch (OutOfMemoryError e) {
            throw pool.failure().failIfFramesWereDropped(e);
        }
    }

    /** Counts a hit of a scan, of which the policy is not notified. If that fails, releases the share or the pin. */
    private void countScanned(int frame, long id, FrameRef share) {
        boolean counted = false;
        try {
            counters.hit(id);
            counted = true;
        } finally {
            if (!counted && share != null) {
                share.endShare();
            } else if (!counted) {
                pool.unpin(frame);
            }
        }
    }

    /** For the estimates, which a scan records no references for, nor misses. Neither allocates nor throws. */
    private void recordMiss() {
        if (advice != null) {
            advice.recordMiss();
        }
    }

    /**
     * Takes a share in the latch of a page, in a pool that {@linkplain #isPlain is plain}, with one look into the table
     * and without a wait.
     *
     * @param id the page
     * @param read the caller's, which has the share then
     * @return the buffer of the page; or a negative number if {@link #share} must be called
     */
    public int shareAtOnce(long id, FrameRef read) {
        int near = isPlain() ? table.peek(id) : NONE;
        return near < 0 ? NONE : read.acquireShare(near, id, weightCap);
    }

    private boolean tryShare(int frame, long id, FrameRef read) {
        if (states.identity(frame) != id) {
            return false;
        }
        if (read.acquireShare(frame, id, weightCap()) < 0) {
            return false;
        }
        if (rareWork != 0) {
            pool.recordAccess(frame, read, counters.collectedHits(), counters.collectedHits(id));
        }
        return true;
    }

    /**
     * Creates a page of zeros. Only the calling thread creates it, and for others it does not exist
     * yet, or cannot be read.
     *
     * @param id the page
     * @param position the end of the log, read before, if the page is to be dirty; else {@link DirtyPages#NONE}
     * @return its frame, pinned; the page is loaded
     * @throws IOException if a page could not be written whose frame was needed
     */
    public int create(long id, long position) throws IOException {
        if (has(ADVISES)) {
            advice.add(id); // plays nothing, since the caller may have locked the file's length
        }
        while (true) {
            int frame = residency.create(id, position);
            if (frame != FramePool.LOST) {
                recordMiss();
                return frame;
            }
            int other = table.find(id); // of a thread that has sought a former page of this number, in vain
            if (other != NONE) {
                awaitChange(other, id, () -> false);
            }
        }
    }

    /**
     * {@return whether a page has a frame; a hint}
     *
     * @param id the page
     */
    public boolean isMapped(long id) {
        return table.find(id) != NONE;
    }

    /**
     * Reads adjacent pages in before they are used. Waits neither for a frame nor for a page.
     *
     * @param first the first page
     * @param count the number of pages
     * @param run the caller's, which has the outcome then
     * @return how many pages were {@linkplain PageRun#mapped mapped}, or 1 if the first one was resident; 0 if there is
     *     no frame
     * @throws io.clockhand.NoSuchPageException if the first page does not exist
     * @throws IOException never: the run counts the pages that could not be read. An error is thrown, and an exception
     *     of the policy in the search for the first frame
     */
    public int prefetch(long first, int count, PageRun run) throws IOException {
        run.begin(first, Math.min(count, run(first, count)));
        if (table.find(first) != NONE) {
            return 1;
        }
        source.check(first);
        residency.pageIn(run, null);
        return run.mapped() == 0 && !run.lacksFrame() ? 1 : run.mapped();
    }

    /**
     * Brings a page in with bytes of the caller's instead of those that the file has. Waits neither for a frame nor for
     * a page.
     *
     * @param id the page
     * @param bytes has the bytes from its position on; not changed
     * @return false if the page is in memory or being read, or there is no frame for it
     * @throws io.clockhand.NoSuchPageException if it does not exist
     * @throws IOException if the source refuses the bytes
     */
    public boolean install(long id, ByteBuffer bytes) throws IOException {
        source.check(id);
        source.checkBytes(id, bytes, bytes.position());
        long thread = Thread.currentThread().getId();
        PageRun run = runs.take(thread);
        try {
            run.begin(id, 1);
            run.keepFirst();
            run.give(bytes, () -> has(CLOSED));
            residency.pageIn(run, null);
            boolean installed = run.kept() >= 0;
            if (installed) {
                pool.unpin(run.kept());
            }
            return installed;
        } finally {
            run.end();
            runs.putBack(thread, run);
        }
    }

    /**
     * {@return how many pages, from one on, are read at once: 1 if each is read by itself}
     *
     * @param first the first page
     * @param most the greatest number to return
     */
    public int run(long first, int most) {
        int atMost = Math.min(most, mostInRun());
        return atMost <= 1 ? 1 : source.run(first, atMost);
    }

    private int mostInRun() {
        return Math.min(mostInRun, Math.max(1, capacity() / FRAMES_PER_RUN_PAGE));
    }

    /**
     * Invalidates pages that do not exist any more: the source must refuse them by now. Waits for the threads that use
     * them.
     *
     * @param first the least id
     * @param last the greatest id
     * @param writes whether to write changes to the file, which is being closed; else they are lost
     * @throws IOException if a page could not be written; this can be called again
     */
    public void invalidate(long first, long last, boolean writes) throws IOException {
        invalidate(first, last, writes, () -> {});
    }

    /**
     * As the other method does.
     *
     * @param first the least id
     * @param last the greatest id
     * @param writes whether to write changes to the file, which is being closed; else they are lost
     * @param onUsers called before a wait for threads that use a page, perhaps more than once
     * @throws IOException if a page could not be written; this can be called again
     */
    public void invalidate(long first, long last, boolean writes, Runnable onUsers) throws IOException {
        invalidation.invalidate(first, last, writes, onUsers);
    }

    /**
     * {@return whether a page is loaded at the moment}
     *
     * @param id the page
     */
    public boolean isResident(long id) {
        int frame = table.find(id);
        return frame != NONE
                && FrameState.content(states.state(frame)) == FrameState.READY
                && states.identity(frame) == id;
    }

    /** Drops a pin from a frame that the caller has pinned. */
    public void unpin(int frame) {
        pool.unpin(frame);
    }

    /**
     * Takes a share in the latch of a page that is resident; neither waits nor reads.
     *
     * @param id the page
     * @param read the caller's, which has the share then
     * @return false if the page is not resident, or its latch is not free
     */
    public boolean tryShare(long id, FrameRef read) {
        int frame = table.find(id);
        if (frame == NONE) {
            return false;
        }
        noteReference(id);
        return tryShare(frame, id, read);
    }

    /**
     * Pins a page that is resident; neither waits nor reads.
     *
     * @param id the page
     * @return its frame, or {@link #NONE}
     */
    public int tryPin(long id) {
        int frame = table.find(id);
        if (frame == NONE) {
            return NONE;
        }
        noteReference(id);
        if (!tryPinReady(frame, id)) {
            return NONE;
        }
        onHit(frame, id);
        return frame;
    }

    /**
     * Pins a frame if it holds a page, and that is loaded.
     *
     * @param frame the frame
     * @param id the page
     * @return whether it is pinned
     */
    public boolean tryPinReady(int frame, long id) {
        return tryPinReady(frame, id, weightCap());
    }

    private boolean tryPinReady(int frame, long id, int cap) {
        if (!states.tryPinReady(frame, id, cap)) {
            return false;
        }
        if (states.identity(frame) == id) {
            return true;
        }
        pool.unpin(frame);
        return false;
    }

    /** Pins the frame of a page that another thread brings in or evicts; false if the page has left the frame. */
    private boolean tryPinLoading(int frame, long id, int lookups, int cap) throws IOException {
        if (lookups >= LOOKUPS) {
            awaitChange(frame, id, () -> mayBePinned(frame, id));
        }
        if (states.tryPin(frame, cap) == FrameStates.NOT_PINNED) {
            pool.awaitUnclaimed(frame);
            return false;
        }
        boolean loaded = false;
        try {
            loaded = states.identity(frame) == id && table.find(id) == frame && miss.awaitLoaded(frame, id);
        } finally {
            if (!loaded) {
                pool.unpin(frame);
            }
        }
        return loaded;
    }

    /**
     * Waits, for a bounded time, until the page has left the frame, or something else is enough. A page is unmapped
     * before its frame is given up, so usually there is nothing to wait for; but a thread that has met the same frame
     * again and again, since unmapping failed, must not try for ever.
     */
    private void awaitChange(int frame, long id, BooleanSupplier enough) {
        BoundedWait.begin(options, "a page to leave its frame", () -> source.describe(id))
                .until(
                        nanos -> {
                            if (table.find(id) != frame || enough.getAsBoolean()) {
                                return true;
                            }
                            states.waiters().await(frame, state -> false, Math.min(nanos, PAUSE_NANOS));
                            return false;
                        },
                        () -> source.describe(id) + " to leave frame " + frame + ", which cannot be pinned: "
                                + FrameState.toString(states.state(frame)));
    }

    private boolean mayBePinned(int frame, long id) {
        long state = states.state(frame);
        return states.identity(frame) == id && !FrameState.isClaimed(state) && !FrameState.isDoomed(state);
    }

    // --- optimistic reads --------------------------------------------------------------------------------------------

    /**
     * Begins to read a page without a pin, and adds to its weight; nothing is stored while the weight is at its cap. A
     * policy that tracks accesses cannot be notified of one without a pin or a share.
     *
     * @param id the page
     * @param read the caller's; gives the buffer, and validates in the end
     * @return false if the page is not resident, or is being written, or the policy tracks accesses
     */
    public boolean beginUnpinned(long id, FrameRef read) {
        if (has(TRACKS_ACCESSES)) {
            return false;
        }
        int near = table.peek(id);
        int cap = weightCap();
        if (near < 0 || !read.begin(near, id, cap)) {
            int frame = table.find(id);
            if (frame == NONE || !read.begin(frame, id, cap)) {
                return false;
            }
        }
        counters.hit(id);
        noteReference(id);
        return true;
    }

    /**
     * As {@link #beginUnpinned}, but only in a pool that {@linkplain #isPlain is plain}, and with one look into the
     * table.
     *
     * @param id the page
     * @param read the caller's; validates in the end
     * @return false if {@link #beginUnpinned} must be called
     */
    public boolean tryBeginUnpinned(long id, FrameRef read) {
        int near = isPlain() ? table.peek(id) : NONE;
        return near >= 0 && read.begin(near, id, weightCap);
    }

    /**
     * {@return what begins optimistic reads of several pages at once, to be used by one thread}
     *
     * @param capacity the greatest number of pages
     */
    public GroupRead newGroupRead(int capacity) {
        return new GroupRead(this, table, counters, advice, capacity);
    }

    /** Continues a read with a share in the latch of {@code frame} that the caller had to wait for. */
    public void beginShared(int frame, FrameRef read) {
        read.beginShared(frame);
    }

    /**
     * {@return the buffer of a page}
     *
     * @param frame a frame that the caller has pinned, and in which a page is loaded
     */
    public int buffer(int frame) {
        return BufferWord.buffer(states.buffer(frame));
    }

    // --- changes while the pool runs ---------------------------------------------------------------------------------

    /**
     * Changes the number of frames while other threads use the pool. One thread at a time.
     *
     * @param frames 1 to the greatest number of frames of the options
     * @throws IOException if the pool was to shrink, and a page could not be written: it has its former size
     */
    public void resize(int frames) throws IOException {
        int before = capacity();
        try {
            resize.resize(frames);
        } finally {
            if (advice != null && capacity() != before) {
                advice.onOtherCache();
            }
        }
    }

    /** {@return the number of frames now} */
    public int capacity() {
        return pool.capacity();
    }

    /** {@return the greatest number of frames} */
    public int mostFrames() {
        return options.hardFrames();
    }

    /** The policy is another one, or may be. */
    private void onOtherPolicy() {
        set(HAS_OTHER_CAP, pool.weightCap() != weightCap);
        set(TRACKS_ACCESSES, pool.tracksAccesses());
    }

    /**
     * Exchanges the policy while other threads use the pool. One thread at a time.
     *
     * @param next the policy, made for the {@link #capacity}
     * @param onSwitch called when it is in force, which it is then even if this throws
     */
    public void switchPolicy(ReplacementPolicy next, Runnable onSwitch) {
        try {
            pool.switchPolicy(shared(next), () -> {
                if (advice != null) {
                    advice.onOtherCache();
                }
                onOtherPolicy();
                onSwitch.run();
            });
        } finally {
            onOtherPolicy(); // again, since hits may have been counted by the former weights meanwhile
        }
    }

    /** {@return the weight up to which a hit adds} */
    int weightCap() {
        return has(HAS_OTHER_CAP) ? pool.weightCap() : weightCap;
    }

    /** {@return whether the policy must be notified of each access} */
    boolean tracksAccesses() {
        return has(TRACKS_ACCESSES);
    }

    // --- what a hit does besides -------------------------------------------------------------------------------------

    /**
     * {@return whether a hit has nothing to do but to find its page: the policy tracks no accesses, no statistics are
     * collected, nothing is estimated, no leaks are detected, the policy has the weights that the pool began with, and
     * the pool is open}
     */
    public boolean isPlain() {
        return rareWork == 0;
    }

    /**
     * {@return whether a flag is set, or one of several}
     *
     * @param flag {@link #CLOSED}, {@link #FAILED} or {@link #TRACKS_PINS}
     */
    public boolean has(int flag) {
        return (rareWork & flag) != 0;
    }

    /**
     * Sets or clears a flag.
     *
     * @param flag {@link #CLOSED} or {@link #TRACKS_PINS}
     * @param on whether to set it
     */
    public synchronized void set(int flag, boolean on) {
        rareWork = on ? rareWork | flag : rareWork & ~flag;
    }

    /**
     * Estimates hit ratios from now on. Called once, before the pool is used by other threads.
     *
     * @param estimator records references
     */
    public void useAdvice(Advice estimator) {
        advice = estimator;
        estimator.control(on -> set(ADVISES, on));
    }

    /** {@return the estimates of hit ratios, or null if there are none} */
    public Advice advice() {
        return advice;
    }

    /**
     * Reads ahead of sequential misses from now on. Called once, before the pool is used by other threads.
     *
     * @param most the greatest number of pages read at once, at least 2
     * @param starter reads pages with another thread
     */
    public void useReadAhead(int most, ReadAhead.Starter starter) {
        ahead = new ReadAhead(
                residency, source, runs, () -> pool.allowsReadAhead() ? Math.min(most, mostInRun()) : 1, starter);
    }

    /** {@return whether references are recorded for estimates now} */
    boolean recordsReferences() {
        return has(ADVISES);
    }

    /**
     * Records a reference for the estimates, if they are recorded now. May take some microseconds: call it before
     * {@link #pin} or {@link #share}, which do not, and not with a pin or a share of the page.
     *
     * @param id the page
     */
    public void noteReference(long id) {
        if (has(ADVISES)) {
            advice.record(id);
        }
    }

    // --- statistics --------------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting; nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public synchronized void collect(boolean on) {
        counters.collect(on);
        search.collect(on);
        set(COLLECTS, on);
    }

    /** {@return what was counted while collecting} */
    public PageCounters counters() {
        return counters;
    }

    /** {@return pages evicted while collecting} */
    public long evictions() {
        return search.evictions();
    }

    /** {@return searches for a victim while collecting, each of which has scanned at least one frame} */
    public long searches() {
        return search.searches();
    }

    /** {@return frames scanned for victims while collecting} */
    public long framesScanned() {
        return search.framesScanned();
    }

    /** {@return the greatest number of frames in use at any time} */
    public int peakFrames() {
        return pool.peakFrames();
    }

    /** {@return the ids of the pages that are loaded at the moment; scans all frames} */
    public LongStream loaded() {
        return IntStream.range(0, options.hardFrames())
                .filter(frame -> FrameState.content(states.state(frame)) == FrameState.READY)
                .mapToLong(states::identity);
    }

    /** {@return the number of frames in use at the moment, by a pin or a share} */
    public int pinned() {
        return countFrames(options.hardFrames(), frame -> states.users(frame) > 0);
    }

    /**
     * Takes the bytes of all pages from the threads that use them still: their accesses fail, and no optimistic read
     * validates. For a pool that is closed.
     *
     * <p>Slabs are hidden before reads are ended, and users are counted last. So a read that begins with a version
     * that {@code endReads} has set finds no slab, and one that has found a slab does not validate. A thread that takes
     * a share is counted, or its CAS comes after the count has loaded the word; then it finds no slab, since the
     * volatile store that hid the slab came before that load.
     *
     * @return the direct buffers that the collector will free
     */
    public List<WeakReference<ByteBuffer>> closeMemory() {
        buffers.hide();
        latches.endReads(options.hardFrames());
        return buffers.giveBack(pinned() > 0);
    }

    /** {@return the number of free frames at the moment} */
    public int free() {
        return countFrames(capacity(), frame -> FrameState.isFree(states.state(frame)));
    }

    private static int countFrames(int end, IntPredicate figure) {
        return (int) IntStream.range(0, end).filter(figure).count();
    }

    /**
     * Names some of the pages that are pinned.
     *
     * @param most the greatest number of pages to name
     * @return a text; empty if none is pinned
     */
    public String describePinned(int most) {
        StringBuilder text = new StringBuilder();
        int named = 0;
        for (int frame = 0, end = options.hardFrames(); frame < end && named < most; frame++) {
            int pins = states.users(frame);
            if (pins > 0) {
                text.append(named++ == 0 ? "" : "; ")
                        .append(describe(frame))
                        .append(" has ")
                        .append(pins);
                text.append(pins == 1 ? " pin, " : " pins, ").append(latches.describe(frame));
            }
        }
        return text.toString();
    }

    private String describe(int frame) {
        return source.describe(states.identity(frame));
    }

    /**
     * Checks the invariants while no other thread uses the pool.
     *
     * @throws IllegalStateException if one does not hold; the message says which
     */
    public void checkIntegrity() {
        new PageIntegrityCheck(pool, latches, table, memory, source, dirty).run();
    }
}
