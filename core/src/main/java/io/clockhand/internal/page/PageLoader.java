// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.PageMissEvent;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Page-in: how a page that is not in memory gets its bytes, and what becomes of the buffers.
 *
 * <p><b>Two ways.</b> The thread that has mapped a page reads it into the buffer that its frame has. A thread that finds the page
 * mapped and not loaded does one of two things. <i>Optimistic</i> [1, Fig. 6]: it reads the page, too, into a spare buffer; one
 * CAS of the frame's {@link BufferWord} decides whose buffer is used, and the others give theirs back. So nobody waits for
 * anybody, and some reads are wasted. <i>Coalesced</i>: it parks until the first thread is done. If the thread that has mapped the
 * page cannot read it, it unmaps it and gives the frame up, unless another has loaded it meanwhile; in coalesced mode the waiting
 * threads get its exception, in optimistic mode those whose own read succeeded look the page up again.
 *
 * <p><b>Buffers.</b> There are as many as frames, and a few spare ones. A frame keeps its buffer from page to page; {@code reserved}
 * says which one it had when it was bound, and is used by the thread that owns the frame or has mapped it, alone. A buffer is written
 * to while the latch of its frame is closed: from the claim on the frame to the moment when the bytes are there. So nobody has a share
 * in the latch, and an optimistic reader who has begun before fails to validate.
 *
 * <p>Thread-safe.
 *
 * <p>[1] M. Yui, J. Miyazaki, S. Uemura, H. Yamana, Nb-GCLOCK, ICDE 2010.
 */
final class PageLoader implements FrameBinding<IOException> {
    private static final int MOST_SPARES = 64;
    private static final long BUFFER_RETRY_NANOS = 50_000;

    /** What {@link #pageIn} returns when the caller has a share instead of a pin. */
    static final int SHARED = -2;

    private final FramePool<IOException> pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final FrameMemory memory;
    private final PageSource source;
    private final PoolOptions options;
    private final boolean optimistic;
    /** The policy's lock if it is to be held from the search for a frame to the end of the read; else null. */
    private final Lock blocking;

    private final PageCounters counters;
    private final int[] reserved;
    /** Of frames whose page could not be read, until they are bound anew. */
    private final ConcurrentHashMap<Integer, Throwable> failures = new ConcurrentHashMap<>();
    /** Threads that read a page beside the one that has mapped it; changed by atomic adds. */
    private final AtomicInteger helpers = new AtomicInteger();

    PageLoader(
            FramePool<IOException> pool,
            PoolOptions options,
            int pageBytes,
            PageTable table,
            PageSource source,
            boolean optimistic,
            Lock blocking,
            PageCounters counters) {
        int frames = options.softFrames();
        this.pool = pool;
        this.states = pool.states();
        this.latches = new Latches(states, frames);
        this.table = table;
        this.memory = new FrameMemory(pageBytes, frames + spares(frames));
        this.source = source;
        this.options = options;
        this.optimistic = optimistic;
        this.blocking = blocking;
        this.counters = counters;
        this.reserved = new int[frames];
    }

    /** {@return how many buffers there are beside those of the frames} */
    static int spares(int frames) {
        return Math.max(2, Math.min(MOST_SPARES, frames / 4));
    }

    Latches latches() {
        return latches;
    }

    FrameMemory memory() {
        return memory;
    }

    // --- the first thread --------------------------------------------------------------------------------------------

    /**
     * Maps a page, reads it or clears its bytes, and publishes it.
     *
     * @param id the page
     * @param read false for a page of zeros, and which nobody cuts off meanwhile
     * @param share takes a share in the latch instead of a pin; null for the pin
     * @return its frame, pinned and loaded; or {@link #SHARED} if {@code share} has the page, which need not be so; or {@link
     *     FramePool#LOST} if another thread has mapped the page
     * @throws IOException if it could not be read; it is not mapped then
     */
    int pageIn(long id, boolean read, FrameRef share) throws IOException {
        PageMissEvent event = FlightEvents.pageMiss();
        if (event != null) {
            return pageInRecorded(id, read, share, event);
        }
        return blocking == null ? pageInUnblocked(id, read, share, null) : pageInBlocking(id, read, share, null);
    }

    private int pageInRecorded(long id, boolean read, FrameRef share, PageMissEvent event) throws IOException {
        try {
            return blocking == null ? pageInUnblocked(id, read, share, event) : pageInBlocking(id, read, share, event);
        } finally {
            record(event, id);
        }
    }

    private void record(PageMissEvent event, long id) {
        if (event.isWanted()) {
            event.record(source.file(id), source.page(id));
        }
    }

    private int pageInBlocking(long id, boolean read, FrameRef share, PageMissEvent event) throws IOException {
        blocking.lock();
        try {
            return pageInUnblocked(id, read, share, event);
        } finally {
            blocking.unlock();
        }
    }

    private int pageInUnblocked(long id, boolean read, FrameRef share, PageMissEvent event) throws IOException {
        int frame = pool.admit(id, this);
        if (event != null) {
            event.searched(frame != FramePool.LOST);
        }
        if (frame == FramePool.LOST) {
            return frame;
        }
        return fillAndPublish(frame, id, false, read, share, event);
    }

    /**
     * Brings a page in that nobody asks for yet, as {@link #pageIn} does, but never waits for a frame.
     *
     * @param id the page
     * @return its frame, pinned and loaded; or {@link FramePool#LOST}, or {@link FramePool#NO_FRAME}
     * @throws IOException if it could not be read; it is not mapped then
     */
    int prefetch(long id) throws IOException {
        if (blocking == null) {
            return prefetchUnblocked(id);
        }
        blocking.lock();
        try {
            return prefetchUnblocked(id);
        } finally {
            blocking.unlock();
        }
    }

    private int prefetchUnblocked(long id) throws IOException {
        int frame = pool.tryAdmit(id, this);
        if (frame < 0) {
            return frame;
        }
        return fillAndPublish(frame, id, true, true, null, null);
    }

    private int fillAndPublish(int frame, long id, boolean ahead, boolean read, FrameRef share, PageMissEvent event)
            throws IOException {
        int buffer = reserved[frame];
        try {
            if (ahead) {
                counters.prefetch();
            } else {
                counters.miss();
            }
            fill(buffer, id, read);
        } catch (Throwable failure) {
            if (isFailed(frame, id, buffer, failure)) {
                throw failure;
            }
            return loadedByAnother(frame, false);
        }
        boolean used = tryPublish(frame, buffer, buffer);
        if (event != null) {
            event.filled(read, used);
        }
        if (!used) {
            memory.offer(buffer);
            return loadedByAnother(frame, read);
        }
        boolean published = false;
        try {
            loaded(id, frame, share != null);
            published = true;
        } finally {
            if (!published) { // a policy that throws
                pool.unpin(frame);
            }
        }
        if (share == null) {
            return frame;
        }
        share.beginShared(states, frame);
        return SHARED;
    }

    /**
     * Tells the policy of a page whose buffer this thread has published, and lets everybody in.
     *
     * @param share whether the caller wants a share for its pin; if this throws the pin stays
     */
    private void loaded(long id, int frame, boolean share) {
        boolean shared = false;
        try {
            pool.onLoad(id, frame);
            shared = share;
        } finally {
            latches.open(frame, shared);
            pool.ready(frame, !shared);
        }
    }

    /** Waits for the few steps of the thread that has published a buffer. If that takes too long the caller's pin goes. */
    private int loadedByAnother(int frame, boolean wasted) {
        boolean ready = false;
        try {
            if (wasted) {
                counters.wastedRead();
            }
            pool.awaitReady(frame);
            ready = true;
        } finally {
            if (!ready) {
                pool.unpin(frame);
            }
        }
        return frame;
    }

    private void fill(int buffer, long id, boolean read) throws IOException {
        ByteBuffer bytes = memory.bytes(buffer);
        if (!read) {
            while (bytes.remaining() >= Long.BYTES) {
                bytes.putLong(0);
            }
            return;
        }
        source.check(id); // again, now that it is mapped: it may have been cut off before
        counters.read();
        boolean filled = false;
        try {
            source.read(id, bytes);
            filled = true;
        } finally {
            if (!filled) {
                counters.failedRead();
            }
        }
    }

    /** Makes a buffer that holds the page its frame's; false if another thread was first. */
    private boolean tryPublish(int frame, int reservedBuffer, int buffer) {
        if (!optimistic) {
            states.setBuffer(frame, BufferWord.loaded(buffer)); // nobody else reads the page
            return true;
        }
        return states.casBuffer(frame, BufferWord.reserved(reservedBuffer), BufferWord.loaded(buffer));
    }

    /** Gives the frame up, unless another thread has loaded the page: then its pin is good. */
    private boolean isFailed(int frame, long id, int buffer, Throwable failure) {
        noteFailure(frame, failure);
        boolean failed = states.casBuffer(frame, BufferWord.reserved(buffer), BufferWord.FAILED);
        memory.offer(buffer);
        if (failed) {
            table.remove(id, frame);
            pool.failed(frame);
        } else {
            failures.remove(frame);
        }
        return failed;
    }

    private void noteFailure(int frame, Throwable failure) {
        try {
            failures.put(frame, failure);
        } catch (Throwable e) {
            failure.addSuppressed(e); // those who wait are told of a failure without its cause
        }
    }

    // --- those who come behind ---------------------------------------------------------------------------------------

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
            int spare = optimistic ? takeSpare() : FrameMemory.NONE;
            if (spare != FrameMemory.NONE) {
                try {
                    return readConcurrently(frame, id, BufferWord.buffer(word), spare);
                } finally {
                    helpers.getAndDecrement();
                }
            }
            if (!pool.awaitReady(frame)) {
                Throwable cause = failures.get(frame);
                if (cause instanceof NoSuchPageException) {
                    return false; // there was no such page when it was mapped; there may be one by now
                }
                throw failureOf(id, cause);
            }
        }
    }

    /** {@return a buffer for a thread that reads beside another, or NONE if as many as there are spare ones do} */
    private int takeSpare() {
        int spare = FrameMemory.NONE;
        try {
            if (helpers.getAndIncrement() < spares(reserved.length)) {
                spare = memory.poll();
            }
        } finally {
            if (spare == FrameMemory.NONE) { // or there was no room for it
                helpers.getAndDecrement();
            }
        }
        return spare;
    }

    private boolean readConcurrently(int frame, long id, int reservedBuffer, int spare) throws IOException {
        PageMissEvent event = FlightEvents.pageMiss();
        if (event == null) {
            return readConcurrently(frame, id, reservedBuffer, spare, null);
        }
        event.beside();
        try {
            return readConcurrently(frame, id, reservedBuffer, spare, event);
        } finally {
            record(event, id);
        }
    }

    private boolean readConcurrently(int frame, long id, int reservedBuffer, int spare, PageMissEvent event)
            throws IOException {
        boolean used = false;
        try {
            fill(spare, id, true);
            used = tryPublish(frame, reservedBuffer, spare);
            if (event != null) {
                event.filled(true, used);
            }
        } catch (IOException failure) {
            if (!BufferWord.isLoaded(states.buffer(frame))) {
                throw failure;
            }
        } finally {
            if (!used) {
                memory.offer(spare);
            }
        }
        if (used) {
            loaded(id, frame, false);
            return true;
        }
        // for the few steps of the thread that was first; or, if it has failed, until the page is unmapped, or it would
        // be found here again
        boolean loaded = pool.awaitReady(frame);
        if (loaded) {
            counters.wastedRead();
        }
        return loaded;
    }

    private IOException failureOf(long id, Throwable cause) {
        String detail = cause == null ? "" : ": " + cause.getMessage();
        return new IOException(source.describe(id) + " could not be read by the thread that was first" + detail, cause);
    }

    // --- binding and leaving -----------------------------------------------------------------------------------------

    /** There are always enough in the end: more than the frames need are taken only by reads under way. */
    private int takeBuffer(int frame) {
        int buffer = memory.poll();
        if (buffer != FrameMemory.NONE) {
            return buffer;
        }
        WaitEvent event = FlightEvents.waiting();
        long begin = System.nanoTime();
        boolean interrupted = false;
        try {
            while (buffer == FrameMemory.NONE) {
                LockSupport.parkNanos(this, BUFFER_RETRY_NANOS);
                interrupted |= Thread.interrupted();
                long waited = System.nanoTime() - begin;
                if (waited > options.longWait().toNanos()) {
                    options.onLongWait()
                            .accept(
                                    "a buffer for " + source.describe(states.identity(frame))
                                            + ", since all are in use by reads",
                                    Duration.ofNanos(waited));
                }
                buffer = memory.poll();
            }
            return buffer;
        } finally {
            if (event != null && event.isWanted()) {
                event.record(options.name(), "a buffer", null, buffer == FrameMemory.NONE);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void bind(int frame) {
        if (!BufferWord.hasBuffer(states.buffer(frame))) {
            if (!failures.isEmpty()) {
                failures.remove(frame);
            }
            int buffer = takeBuffer(frame);
            reserved[frame] = buffer;
            states.setBuffer(frame, BufferWord.reserved(buffer));
        }
    }

    @Override
    public boolean map(int frame) {
        return table.putIfAbsent(states.identity(frame), frame) == PageTable.NONE;
    }

    @Override
    public boolean load(int frame) {
        throw new AssertionError("pages are loaded by pageIn");
    }

    @Override
    public void unmap(int frame) {
        throw new AssertionError("pages are unmapped by pageIn");
    }

    /** Throws the page of a claimed frame out; its buffer stays with the frame. */
    void evictContent(int frame) {
        int buffer = BufferWord.buffer(states.buffer(frame));
        reserved[frame] = buffer;
        states.setBuffer(frame, BufferWord.reserved(buffer));
        table.remove(states.identity(frame), frame);
    }
}
