// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.PageWriter;
import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.PageMissEvent;
import io.clockhand.internal.pool.CleanedFrames;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.FrameWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimScan;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.internal.table.PageTable;
import io.clockhand.io.PageCorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * The miss of a page, from the search for a frame to the page that other threads can use, with the way back of each
 * step beside it. {@link VictimSearch} has what the search shares with that of objects.
 *
 * <p>The thread that has mapped a page reads it into the {@linkplain PageBuffers buffer} reserved for its frame. A
 * thread that finds the page mapped and not loaded does one of two things. <i>Optimistic</i> [1, Fig. 6]: it reads the
 * page, too, into a spare buffer; one CAS of the frame's {@link BufferWord} decides whose buffer is used, and the other
 * threads return theirs. So no thread waits for another's read, and some reads are wasted. <i>Coalesced</i>: it parks
 * until the first thread has read the page.
 *
 * <p>If the thread that has mapped the page cannot read it, it unmaps the page and gives the frame up, unless another
 * has loaded it meanwhile. In coalesced mode the waiting threads get its exception; in optimistic mode the threads
 * whose own read succeeded look the page up again. {@code failures} holds the exception of a frame until the frame is
 * bound anew: it is stored before the CAS of the state that gives the frame up, and read after an acquire load of that
 * state.
 *
 * <p><b>Creation.</b> A page that is created has zeros instead. If it must be written before it can be read, it is
 * marked as dirty before it is published, so it is written before its frame can be taken.
 *
 * <p><b>Map, then recheck.</b> The loader checks that the page exists after it has mapped the page, so a truncated page
 * cannot reappear; see {@link PageInvalidation}.
 *
 * <p>Thread-safe.
 *
 * <p>[1] M. Yui, J. Miyazaki, S. Uemura, H. Yamana, Nb-GCLOCK, ICDE 2010.
 */
final class PageMiss implements Residency {
    /** Instead of the position of a creation. */
    private static final long READ = -1;
    /** No frame. */
    private static final int NONE = FramePool.NONE;

    private final PoolOptions options;
    private final FramePool pool;
    private final VictimSearch search;
    private final FrameStates states;
    private final PageTable table;
    private final PageBuffers buffers;
    private final FrameMemory memory;
    private final PageSource source;
    /** Created once, see {@link io.clockhand.internal.pool.BoundedWait}: the thread has claimed a frame. */
    private final LongFunction<String> describe;

    private final DirtyPages dirty;
    private final WriteBackQueue queue;
    private final CleanedFrames cleaned;
    /** Null if pages cannot be written. */
    private final PageWriter writer;

    private final boolean optimistic;
    private final PageCounters counters;
    private final HiddenPages hidden;
    private final Throwable[] failures;
    private final RunMiss runs;

    PageMiss(
            PoolOptions options,
            FramePool pool,
            VictimSearch search,
            PageBuffers buffers,
            PageTable table,
            PageSource source,
            DirtyPages dirty,
            WriteBackQueue queue,
            CleanedFrames cleaned,
            PageWriter writer,
            boolean optimistic,
            PageCounters counters,
            HiddenPages hidden) {
        this.options = options;
        this.pool = pool;
        this.search = search;
        this.states = pool.states();
        this.table = table;
        this.buffers = buffers;
        this.memory = buffers.memory();
        this.source = source;
        this.describe = source::describe;
        this.dirty = dirty;
        this.queue = queue;
        this.cleaned = cleaned;
        this.writer = writer;
        this.optimistic = optimistic;
        this.counters = counters;
        this.hidden = hidden;
        this.failures = new Throwable[pool.frames()];
        this.runs = new RunMiss(this, pool, buffers, source, counters);
        pool.line().useDirtyPages(this::onUnusedDirtyPage);
    }

    // --- the miss, from top to bottom --------------------------------------------------------------------------------

    @Override
    public int pageIn(long id, FrameRef share) throws IOException {
        return pageIn(id, READ, share);
    }

    @Override
    public int create(long id, long position) throws IOException {
        return pageIn(id, position, null);
    }

    @Override
    public void pageIn(PageRun run, FrameRef share) throws IOException {
        runs.pageIn(run, share);
    }

    /*
     * One long method: the compiler does not compile it into each method that fixes a page (HotSpot's limit is 325
     * bytes of bytecode), where the rest of the miss would be past its limits of depth and size, and so be left in
     * pieces that differ from run to run.
     */
    private int pageIn(long id, long created, FrameRef share) throws IOException {
        PageMissEvent event = begin(id);
        boolean read = created == READ;
        try {
            pool.enter();
            int frame = takeFrame(id, true);
            if (frame >= 0) {
                bind(frame, id);
                pool.publishPinned(frame);
                frame = map(frame, id);
            }
            if (event != null) {
                event.searched(frame != FramePool.LOST);
            }
            if (frame < 0) {
                return frame;
            }
            int buffer = buffers.reserved(frame);
            try {
                counters.miss(id);
                if (read) {
                    read(buffer, id);
                } else {
                    memory.clear(buffer);
                }
            } catch (Throwable failure) {
                if (tryFail(frame, buffer, failure)) {
                    throw failure;
                }
                return awaitOther(frame, false);
            }
            boolean used = true;
            try {
                if (optimistic) {
                    used = states.casBuffer(frame, BufferWord.reserved(buffer), BufferWord.loaded(buffer));
                } else {
                    states.setBuffer(frame, BufferWord.loaded(buffer)); // no other thread reads the page
                }
                if (event != null) {
                    event.filled(read, used);
                }
                if (!used) {
                    buffers.giveBack(buffer);
                } else if (!read && created != DirtyPages.NONE && writer != null) {
                    dirty.begin(frame, created);
                }
            } catch (VirtualMachineError e) {
                throw pool.failure().fail(e);
            }
            if (!used) {
                return awaitOther(frame, read);
            }
            try {
                pool.publish(frame, id, share != null);
            } catch (Throwable failure) {
                pool.unpin(frame);
                throw failure;
            }
            if (share == null) {
                return frame;
            }
            share.beginShared(frame);
            return SHARED;
        } finally {
            FlightEvents.finish(event); // never throws: the thread has a pin or a share by now
        }
    }

    // --- a frame -----------------------------------------------------------------------------------------------------

    /**
     * {@return an empty frame that this thread has claimed; or LOST if another thread has mapped the page meanwhile; or
     * NONE, but only if this thread may not wait for one}
     */
    int takeFrame(long id, boolean mayWait) throws IOException {
        if (!states.isFrameWanted()) { // or others wait, and come first
            int free = pool.takeFree();
            if (free != NONE) {
                return free;
            }
        }
        long thread = Thread.currentThread().getId();
        VictimScan scan = search.begin(thread);
        int frame = NONE;
        try {
            frame = searchFrame(id, mayWait, scan);
        } finally {
            search.end(scan, thread, frame);
        }
        return frame;
    }

    private int searchFrame(long id, boolean mayWait, VictimScan scan) throws IOException {
        for (; ; ) {
            int frame = states.isFrameWanted() ? NONE : claim(id, scan);
            if (frame == NONE && mayWait) {
                frame = awaitFrame(id, scan);
            }
            if (frame < 0 || search.isEmpty(frame)) {
                return frame;
            }
            scan.countEviction();
            evict(frame);
            if (!pool.isSurplus(frame)) {
                return frame;
            }
            pool.release(frame); // the pool shrinks
        }
    }

    /** {@return a free frame, or a victim with its page, claimed by this thread; NONE if there is none} */
    private int claim(long id, VictimScan scan) {
        int frame = pool.takeFree();
        if (frame != NONE) {
            return frame;
        }
        if (pool.weightCap() > 0) { // a policy with lists puts the frames that were cleaned back itself
            frame = claimCleaned(scan);
            if (frame != NONE) {
                search.nudge(scan); // it may have passed one that is dirty again
                return frame;
            }
        }
        return search.evict(id, scan);
    }

    /** Claims a frame that was dirty when a search passed it, and has been written since. */
    private int claimCleaned(VictimScan scan) {
        for (int frame = cleaned.poll(); frame != CleanedFrames.NONE; frame = cleaned.poll()) {
            if (scan.tryClaim(frame)) {
                pool.takeFromPolicy(frame);
                return frame;
            }
        }
        return NONE;
    }

    /** Waits in line for a frame; {@return a free frame, or a victim with its page; or LOST} */
    private int awaitFrame(long id, VictimScan scan) throws IOException {
        FrameWait wait = scan.lineUp(options);
        try {
            for (; ; ) {
                int step = wait.next();
                int frame = NONE;
                if (step >= 0) {
                    frame = claimOffered(step);
                } else if (step == FrameWait.SWEEP) {
                    frame = sweep(id, scan, wait);
                } else if (step == FrameWait.OUT_OF_TIME) {
                    pool.failure().check();
                    frame = claimAny(id, scan);
                }
                if (frame != NONE) {
                    return frame;
                }
                if (step <= FrameWait.WOKEN && isMapped(id)) {
                    return FramePool.LOST; // so that no page is evicted in vain
                }
                if (step == FrameWait.OUT_OF_TIME) {
                    throw search.exhausted(scan);
                }
            }
        } finally {
            wait.leave();
        }
    }

    /**
     * {@return the frame that was offered, or any free one, or NONE} If the offered one is free still, nobody else
     * knows: its hint is used up, and the thread that has freed the frame taken here may have found it taken, and so
     * have offered nothing.
     */
    private int claimOffered(int offered) {
        if (states.tryClaim(offered)) {
            pool.takeFromPolicy(offered);
            return offered;
        }
        int frame = pool.takeFree();
        if (frame != NONE) {
            pool.line().offer(offered);
        }
        return frame;
    }

    /** {@return any frame} While there is none, the thread writes dirty pages, though other threads could take them. */
    private int sweep(long id, VictimScan scan, FrameWait wait) throws IOException {
        int frame = claimAny(id, scan);
        while (frame == NONE && !wait.isOver() && writeQueued()) {
            scan.stalled();
            search.countForegroundClean();
            frame = claimAny(id, scan);
        }
        return frame;
    }

    /** {@return a frame as {@link #claim} does, even one that the policy has lost} */
    private int claimAny(long id, VictimScan scan) {
        int frame = claim(id, scan);
        return frame != NONE ? frame : search.claimUnknown(scan);
    }

    /** Writes some pages that searches have met dirty; {@return whether one was written, or is by another thread} */
    private boolean writeQueued() throws IOException {
        if (writer == null || queue.isEmpty()) {
            return false;
        }
        int most = queue.hasCleaner() ? 1 : writer.batchPages();
        try {
            return writer.writeQueued(most) > 0;
        } catch (IOException | RuntimeException e) {
            if (writer.writesQueued()) {
                return false; // one of the pages that are being written will do
            }
            throw e;
        }
    }

    /**
     * A thread waits for a frame, and nobody uses this dirty page any more, which was marked as queued. Never throws.
     */
    private void onUnusedDirtyPage(int frame) {
        queue.add(frame);
        if (queue.hasCleaner()) {
            queue.nudge();
        } else {
            pool.line().sweep();
        }
    }

    // --- unmap -------------------------------------------------------------------------------------------------------

    /**
     * Empties a claimed frame, whose page is clean: a search queues dirty ones, and never claims them. Its buffer stays
     * with the frame.
     */
    private void evict(int frame) {
        try {
            buffers.recycle(frame);
            table.remove(states.identity(frame), frame);
        } catch (RuntimeException | Error e) {
            pool.failure().fail(e);
            throw e;
        }
    }

    // --- bind and map ------------------------------------------------------------------------------------------------

    /** Gives a claimed frame its page and a buffer; no other thread sees the frame yet. */
    private void bind(int frame, long id) {
        try {
            states.setIdentity(frame, id);
            if (!BufferWord.hasBuffer(states.buffer(frame))) {
                failures[frame] = null;
                buffers.reserve(frame, describe);
            }
            buffers.setInRun(frame, false);
        } catch (Throwable failure) {
            pool.release(frame);
            throw failure;
        }
    }

    /** Gives a claimed frame a buffer, if it has none; {@return false if none is free: then the frame is free again} */
    boolean tryReserve(int frame) {
        boolean reserved = false;
        try {
            reserved = BufferWord.hasBuffer(states.buffer(frame));
            if (!reserved) {
                failures[frame] = null;
                reserved = buffers.tryReserve(frame);
            }
        } finally {
            if (!reserved) {
                pool.release(frame);
            }
        }
        return reserved;
    }

    /** As {@link #bind}, for a page of a run, whose frame has a buffer. */
    void bindInRun(int frame, long id) {
        states.setIdentity(frame, id);
        buffers.setInRun(frame, true);
    }

    /** {@return the frame, or LOST if another thread has mapped the page first} */
    int map(int frame, long id) {
        boolean mapped = false;
        try {
            mapped = table.putIfAbsent(id, frame) == PageTable.NONE;
        } catch (Throwable failure) {
            if (!isFoundByOther(frame)) {
                giveUpHidden(frame);
                throw failure;
            }
            mapped = true;
        }
        if (mapped) {
            return frame;
        }
        giveUp(frame);
        return FramePool.LOST;
    }

    /**
     * A table may run out of memory after it has mapped the page, and another thread may have loaded the page by now.
     * If not, this keeps other threads from that, as {@link #tryFail} does.
     */
    private boolean isFoundByOther(int frame) {
        try {
            if (!tryMarkFailed(frame)) {
                return true;
            }
            buffers.giveBack(buffers.reserved(frame));
            return false;
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
    }

    /** {@return false if another thread has loaded the page} */
    private boolean tryMarkFailed(int frame) {
        long word = states.buffer(frame);
        return !BufferWord.isLoaded(word) && states.casBuffer(frame, word, BufferWord.FAILED);
    }

    private void giveUp(int frame) {
        try {
            table.remove(states.identity(frame), frame);
        } catch (RuntimeException | Error e) {
            pool.failure().fail(e);
            throw e;
        }
        pool.giveUp(frame);
    }

    /** Gives up a frame that was mapped: other threads may be reading its page, too. */
    private void giveUpHidden(int frame) {
        hidden.count();
        giveUp(frame);
        hidden.count();
    }

    boolean isMapped(long id) {
        return table.find(id) != PageTable.NONE;
    }

    // --- read --------------------------------------------------------------------------------------------------------

    void read(int buffer, long id) throws IOException {
        ByteBuffer bytes = buffers.bytes(buffer);
        source.check(id); // again, now that the page is mapped: it may have been truncated before
        counters.read();
        try {
            source.read(id, bytes);
        } catch (Throwable failure) {
            counters.failedRead();
            throw failure;
        }
    }

    /** Gives the frame up, unless another thread has loaded the page: then that page is in the frame. */
    boolean tryFail(int frame, int buffer, Throwable failure) {
        failures[frame] = failure;
        boolean failed;
        try {
            failed = tryMarkFailed(frame);
            buffers.giveBack(buffer);
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
        if (failed) {
            giveUpHidden(frame);
        } else {
            failures[frame] = null;
        }
        return failed;
    }

    /**
     * Waits for the few steps of the thread that has published a buffer. If that takes too long the caller's pin goes.
     */
    private int awaitOther(int frame, boolean wasted) {
        try {
            if (wasted) {
                counters.wastedRead();
            }
            pool.awaitReady(frame);
        } catch (Throwable failure) {
            pool.unpin(frame);
            throw failure;
        }
        return frame;
    }

    PageMissEvent begin(long id) {
        PageMissEvent event = FlightEvents.pageMiss();
        if (event != null) {
            event.page(source, id);
        }
        return event;
    }

    // --- the threads that find the page mapped and not loaded --------------------------------------------------------

    /**
     * Waits until a page is loaded that another thread has mapped, or loads it.
     *
     * @param frame its frame, which the caller has pinned
     * @param id the page
     * @return whether it is loaded; false if the caller must look it up again
     * @throws IOException if it could not be read
     */
    boolean awaitLoaded(int frame, long id) throws IOException {
        for (; ; ) {
            long word = states.buffer(frame);
            if (BufferWord.isLoaded(word) || word == BufferWord.FAILED) {
                return pool.awaitReady(frame); // or until the page is unmapped, or it would be found here again
            }
            int spare = optimistic && !BufferWord.isInRun(word) ? buffers.takeSpare() : FrameMemory.NONE;
            if (spare != FrameMemory.NONE) {
                try {
                    return readConcurrently(frame, id, BufferWord.buffer(word), spare);
                } finally {
                    buffers.endSpare();
                }
            }
            if (!pool.awaitReady(frame)) {
                Throwable cause = failures[frame];
                if (cause instanceof NoSuchPageException) {
                    return false; // there was no such page when it was mapped; there may be one by now
                }
                throw failureOf(id, cause);
            }
        }
    }

    private boolean readConcurrently(int frame, long id, int reservedBuffer, int spare) throws IOException {
        PageMissEvent event = begin(id);
        if (event == null) {
            return readConcurrently(frame, id, reservedBuffer, spare, null);
        }
        event.concurrent();
        try {
            return readConcurrently(frame, id, reservedBuffer, spare, event);
        } finally {
            FlightEvents.finish(event);
        }
    }

    private boolean readConcurrently(int frame, long id, int reservedBuffer, int spare, PageMissEvent event)
            throws IOException {
        boolean used;
        try {
            read(spare, id);
            used = states.casBuffer(frame, BufferWord.reserved(reservedBuffer), BufferWord.loaded(spare));
        } catch (IOException failure) {
            buffers.giveBack(spare);
            if (!BufferWord.isLoaded(states.buffer(frame))) {
                throw failure;
            }
            return pool.awaitReady(frame);
        } catch (Throwable failure) {
            buffers.giveBack(spare);
            throw failure;
        }
        if (event != null) {
            event.filled(true, used);
        }
        if (used) {
            pool.publish(frame, id, false);
            return true;
        }
        buffers.giveBack(spare);
        // For the few steps of the thread that has published a buffer; or, if the first thread has failed, until the
        // page is unmapped, or it would be found here again.
        boolean loaded = pool.awaitReady(frame);
        if (loaded) {
            counters.wastedRead();
        }
        return loaded;
    }

    /** {@return an exception of the waiting thread: one of its own, so that no two threads share a stack trace} */
    private IOException failureOf(long id, Throwable cause) {
        if (cause instanceof PageCorruptException corrupt) {
            return new PageCorruptException(corrupt);
        }
        String detail = cause == null ? "" : ": " + cause.getMessage();
        return new IOException(source.describe(id) + " could not be read by the thread that was first" + detail, cause);
    }

    // --- leaving -----------------------------------------------------------------------------------------------------

    @Override
    public boolean tryRemove(int frame, long id, boolean writes) throws IOException {
        if (!pool.tryClaimAfterDirtyCheck(frame)) {
            return false;
        }
        if (states.identity(frame) != id) {
            pool.revoke(frame);
            return true;
        }
        if (FrameState.isDirty(states.state(frame))) {
            endChanges(frame, writes);
        }
        remove(frame);
        return true;
    }

    @Override
    public void dropClean(int frame, long id) {
        if (!states.tryClaim(frame)) {
            return;
        }
        if (states.identity(frame) == id) {
            remove(frame);
        } else {
            pool.revoke(frame);
        }
    }

    /** Writes the changes of a page to its file, which is being closed, or forgets them. */
    private void endChanges(int frame, boolean writes) throws IOException {
        boolean ended = false;
        try {
            if (writes) {
                writer.writeClaimed(frame);
            }
            ended = true;
        } finally {
            if (!ended) {
                pool.revoke(frame);
            }
        }
        try {
            dirty.discard(frame);
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
    }

    /** Evicts the page of a claimed frame, and frees the frame. */
    private void remove(int frame) {
        try {
            pool.policy().onRemove(frame);
        } finally {
            evict(frame);
            pool.release(frame);
        }
    }
}
