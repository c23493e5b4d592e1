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
import io.clockhand.internal.pool.FramePool;
import io.clockhand.io.PageCorruptException;
import java.io.IOException;

/**
 * The miss of a page, from top to bottom: {@link PageSearch#take a frame}; {@link PageFrames#map its page is unmapped,
 * and the new one mapped}; {@link PageSource#read read}; {@link FramePool#publish published}. Each class is entered
 * once, and takes its own step back if that fails; what a failure after the mapping takes back is here.
 *
 * <p>The thread that has mapped a page reads it into the {@linkplain PageBuffers buffer} reserved for its frame. A
 * thread that finds the page mapped and not loaded does one of two things. <i>Optimistic</i> [1, Fig. 6]: it reads the
 * page, too, into a spare buffer; one CAS of the frame's {@link BufferWord} decides whose buffer is used, and the other
 * threads return theirs. So no thread waits for another's read, and some reads are wasted. <i>Coalesced</i>: it parks
 * until the first thread has read the page.
 *
 * <p>If the thread that has mapped the page cannot read it, it unmaps the page and gives the frame up, unless another
 * has loaded it meanwhile. In coalesced mode the waiting threads get its exception; in optimistic mode the threads
 * whose own read succeeded look the page up again.
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

    private final FramePool pool;
    private final FrameStates states;
    private final PageSearch search;
    private final PageFrames frames;
    private final PageBuffers buffers;
    private final FrameMemory memory;
    private final PageSource source;
    private final DirtyPages dirty;
    /** Null if pages cannot be written. */
    private final PageWriter writer;

    private final boolean optimistic;
    private final PageCounters counters;
    private final RunMiss runs;

    PageMiss(
            FramePool pool,
            PageSearch search,
            PageFrames frames,
            PageBuffers buffers,
            PageSource source,
            DirtyPages dirty,
            PageWriter writer,
            boolean optimistic,
            PageCounters counters) {
        this.pool = pool;
        this.states = pool.states();
        this.search = search;
        this.frames = frames;
        this.buffers = buffers;
        this.memory = buffers.memory();
        this.source = source;
        this.dirty = dirty;
        this.writer = writer;
        this.optimistic = optimistic;
        this.counters = counters;
        this.runs = new RunMiss(this, pool, search, frames, buffers, source, counters);
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
            int frame = search.take(id, true); // free, or a victim
            if (frame >= 0) {
                frame = frames.map(frame, id); // its page is unmapped, this one is mapped
            }
            if (event != null) {
                event.searched(frame != FramePool.LOST);
            }
            if (frame < 0) {
                return frame;
            }
            int buffer = buffers.reserved(frame);
            boolean filled = false;
            try {
                counters.miss(id);
                if (read) {
                    read(buffer, id, null);
                } else {
                    memory.clear(buffer);
                }
                filled = true;
            } catch (Throwable failure) {
                if (frames.tryFail(frame, failure)) {
                    throw failure;
                }
            }
            boolean used = filled;
            try {
                if (filled && optimistic) {
                    used = states.casBuffer(frame, BufferWord.reserved(buffer), BufferWord.loaded(buffer));
                } else if (filled) {
                    states.setBuffer(frame, BufferWord.loaded(buffer)); // no other thread reads the page
                }
                if (event != null && filled) {
                    event.filled(read, used);
                }
                if (!used) {
                    buffers.giveBack(buffer);
                } else if (!read && created != DirtyPages.NONE && writer != null) {
                    dirty.begin(frame, created); // before others can use the page
                }
            } catch (VirtualMachineError e) {
                throw pool.failure().fail(e);
            }
            try {
                if (used) {
                    pool.publish(frame, id, share != null);
                } else {
                    awaitOther(frame, filled && read);
                }
            } catch (Throwable failure) {
                pool.unpin(frame);
                throw failure;
            }
            if (!used || share == null) {
                return frame;
            }
            share.beginShared(frame);
            return SHARED;
        } finally {
            FlightEvents.finish(event); // never throws: the thread has a pin or a share by now
        }
    }

    /** Waits for the few steps of the thread that has loaded the page. */
    private void awaitOther(int frame, boolean wasted) {
        if (wasted) {
            counters.wastedRead();
        }
        pool.awaitReady(frame);
    }

    // --- read --------------------------------------------------------------------------------------------------------

    /** Reads a page into a buffer; or all the pages of a run, of which it is the first, into theirs. */
    void read(int buffer, long id, PageRun run) throws IOException {
        int pages = run == null ? 1 : run.mapped();
        source.check(id + pages - 1); // again, now that the pages are mapped: they may have been truncated before
        counters.reads(pages);
        try {
            if (run == null) {
                source.read(id, buffers.bytes(buffer));
            } else {
                source.readRun(id, run.targets(), buffers.targets(run));
            }
        } catch (Throwable failure) {
            counters.failedRead();
            throw failure;
        }
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
                Throwable cause = frames.failure(frame);
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
        boolean filled = false;
        boolean used = false;
        try {
            read(spare, id, null);
            filled = true;
            used = states.casBuffer(frame, BufferWord.reserved(reservedBuffer), BufferWord.loaded(spare));
        } catch (IOException failure) {
            if (!BufferWord.isLoaded(states.buffer(frame))) {
                throw failure;
            }
        } finally {
            if (!used) {
                buffers.giveBack(spare);
            }
        }
        if (event != null && filled) {
            event.filled(true, used);
        }
        if (used) {
            pool.publish(frame, id, false);
            return true;
        }
        // For the few steps of the thread that has published a buffer; or, if the first thread has failed, until the
        // page is unmapped, or it would be found here again.
        boolean loaded = pool.awaitReady(frame);
        if (loaded && filled) {
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
    public boolean dropClean(int frame, long id) {
        if (!states.tryClaim(frame)) {
            return false;
        }
        if (states.identity(frame) == id) {
            remove(frame);
            return true;
        }
        pool.revoke(frame);
        return false;
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
            frames.free(frame);
        }
    }
}
