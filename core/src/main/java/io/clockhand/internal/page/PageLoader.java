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
import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.PageTable;
import io.clockhand.io.PageCorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * Page-in: how a page that is not in memory gets its bytes.
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
final class PageLoader implements PageIn, FrameBinding {
    /** Instead of the position of a creation. */
    private static final long READ = -1;

    private final FramePool<IOException> pool;
    private final FrameStates states;
    private final PageTable table;
    private final PageBuffers buffers;
    private final FrameMemory memory;
    private final PageSource source;
    /** Created once, see {@link io.clockhand.internal.pool.BoundedWait}: the thread has claimed a frame. */
    private final LongFunction<String> describe;

    private final DirtyPages dirty;
    /** Null if pages cannot be written. */
    private final PageWriter writer;

    private final boolean optimistic;
    private final PageCounters counters;
    private final Throwable[] failures;

    PageLoader(
            FramePool<IOException> pool,
            PageBuffers buffers,
            PageTable table,
            PageSource source,
            DirtyPages dirty,
            PageWriter writer,
            boolean optimistic,
            PageCounters counters) {
        this.pool = pool;
        this.states = pool.states();
        this.table = table;
        this.buffers = buffers;
        this.memory = buffers.memory();
        this.source = source;
        this.describe = source::describe;
        this.dirty = dirty;
        this.writer = writer;
        this.optimistic = optimistic;
        this.counters = counters;
        this.failures = new Throwable[pool.frames()];
    }

    // --- the first thread --------------------------------------------------------------------------------------------

    @Override
    public int pageIn(long id, FrameRef share) throws IOException {
        return pageIn(id, false, READ, share);
    }

    @Override
    public int create(long id, long position) throws IOException {
        return pageIn(id, false, position, null);
    }

    @Override
    public int prefetch(long id) throws IOException {
        return pageIn(id, true, READ, null);
    }

    /*
     * One long method: the compiler does not compile it into each method that fixes a page (HotSpot's limit is 325
     * bytes of bytecode), where the rest of the miss would be past its limits of depth and size, and so be left in
     * pieces that differ from run to run.
     */
    private int pageIn(long id, boolean prefetch, long created, FrameRef share) throws IOException {
        PageMissEvent event = prefetch ? null : FlightEvents.pageMiss();
        boolean read = created == READ;
        try {
            int frame = pool.admit(id, this, !prefetch);
            if (event != null) {
                event.searched(frame != FramePool.LOST);
            }
            if (frame < 0) {
                return frame;
            }
            int buffer = buffers.reserved(frame);
            try {
                if (prefetch) {
                    counters.prefetch();
                } else {
                    counters.miss();
                }
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
                pool.failure().fail(e);
                throw e;
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
            if (event != null) {
                record(event, id);
            }
        }
    }

    /** Never throws: the thread has a pin or a share by now, which a failure to record must not lose. */
    private void record(PageMissEvent event, long id) {
        try {
            if (event.isWanted()) {
                event.record(source.file(id), source.page(id));
            }
        } catch (Throwable failure) {
            // the event is lost
        }
    }

    /** Gives the frame up, unless another thread has loaded the page: then that page is in the frame. */
    private boolean tryFail(int frame, int buffer, Throwable failure) {
        failures[frame] = failure;
        boolean failed;
        try {
            failed = states.casBuffer(frame, BufferWord.reserved(buffer), BufferWord.FAILED);
            buffers.giveBack(buffer);
        } catch (VirtualMachineError e) {
            pool.failure().fail(e);
            throw e;
        }
        if (failed) {
            pool.giveUp(frame, this);
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

    private void read(int buffer, long id) throws IOException {
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
            int spare = optimistic ? buffers.takeSpare() : FrameMemory.NONE;
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
        PageMissEvent event = FlightEvents.pageMiss();
        if (event == null) {
            return readConcurrently(frame, id, reservedBuffer, spare, null);
        }
        event.concurrent();
        try {
            return readConcurrently(frame, id, reservedBuffer, spare, event);
        } finally {
            record(event, id);
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
            PageCorruptException own = new PageCorruptException(
                    corrupt.store(),
                    corrupt.file(),
                    corrupt.page(),
                    corrupt.expected(),
                    corrupt.found(),
                    corrupt.isZero());
            own.initCause(corrupt);
            return own;
        }
        String detail = cause == null ? "" : ": " + cause.getMessage();
        return new IOException(source.describe(id) + " could not be read by the thread that was first" + detail, cause);
    }

    // --- binding and leaving -----------------------------------------------------------------------------------------

    @Override
    public boolean isMapped(long id) {
        return table.find(id) != PageTable.NONE;
    }

    @Override
    public void bind(int frame) {
        if (!BufferWord.hasBuffer(states.buffer(frame))) {
            failures[frame] = null;
            buffers.reserve(frame, describe);
        }
    }

    @Override
    public boolean map(int frame) {
        try {
            return table.putIfAbsent(states.identity(frame), frame) == PageTable.NONE;
        } catch (Throwable failure) {
            if (isFoundByOther(frame)) {
                return true;
            }
            throw failure;
        }
    }

    /**
     * A table may run out of memory after it has mapped the page, and another thread may have loaded the page by now.
     * If not, this keeps other threads from that, as {@link #tryFail} does.
     */
    private boolean isFoundByOther(int frame) {
        int buffer = buffers.reserved(frame);
        if (!states.casBuffer(frame, BufferWord.reserved(buffer), BufferWord.FAILED)) {
            return true;
        }
        buffers.giveBack(buffer);
        return false;
    }

    @Override
    public void unmap(int frame) {
        table.remove(states.identity(frame), frame);
    }

    /** Clears a claimed frame; its buffer stays with the frame. */
    void clear(int frame) {
        buffers.recycle(frame);
    }

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
        pool.remove(frame);
        return true;
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
        dirty.discard(frame);
    }
}
