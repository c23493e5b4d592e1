// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.frame.UnpinnedRead;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.ReplacementPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/**
 * Pages by id in the frames of a {@link FramePool}: hits, page-in, and what an optimistic reader needs.
 *
 * <p><b>Page-in.</b> The thread that has mapped a page reads it into the buffer that its frame has. A thread that finds the page
 * mapped and not loaded does one of two things. <i>Optimistic</i> [1, Fig. 6]: it reads the page, too, into a spare buffer; one
 * CAS of the frame's {@link BufferWord} decides whose buffer is used, and the others give theirs back. So nobody waits for
 * anybody, and some reads are wasted. <i>Coalesced</i>: it parks until the first thread is done. If the thread that has mapped the
 * page cannot read it, it unmaps it and gives the frame up, unless another has loaded it meanwhile; in coalesced mode the waiting
 * threads get its exception, in optimistic mode those whose own read succeeded look the page up again.
 *
 * <p><b>Frames found too early or too late.</b> A finder that meets a frame whose content is READY pins it by its identity, in one
 * step. One that meets a frame which is not READY pins it first and then looks the page up again: a frame that is pinned
 * cannot be bound anew, so if the page is still mapped to it, it is the page's frame for as long as the pin lasts.
 *
 * <p><b>Buffers.</b> There are as many as frames, and a few spare ones. A frame keeps its buffer from page to page; {@code reserved}
 * says which one it had when it was bound, and is used by the thread that owns the frame or has mapped it, alone. Before a
 * buffer is written to, its frame's word was made to say that nothing is loaded, and then its version was changed: so an optimistic
 * reader who has seen the old word fails to validate.
 *
 * <p>Thread-safe.
 *
 * <p>[1] M. Yui, J. Miyazaki, S. Uemura, H. Yamana, Nb-GCLOCK, ICDE 2010.
 */
public final class PagePool {
    /** No frame. */
    public static final int NONE = PageTable.NONE;

    private static final int MOST_SPARES = 64;
    private static final long BUFFER_RETRY_NANOS = 50_000;

    private final FramePool<IOException> pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final FrameMemory memory;
    private final PageSource source;
    private final PoolOptions options;
    private final boolean optimistic;
    private final int weightCap;
    private final boolean observesHits;
    private final int[] reserved;
    private final Arrival<IOException> arrival = new PageArrival();
    /** Of frames whose page could not be read, until they are bound anew. */
    private final ConcurrentHashMap<Integer, Throwable> failures = new ConcurrentHashMap<>();

    /** Threads that read a page beside the one that has mapped it; changed by atomic adds. */
    private final AtomicInteger helpers = new AtomicInteger();

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder wastedReads = new LongAdder();
    private final LongAdder failedReads = new LongAdder();
    private volatile boolean collecting;

    /** Makes the table of a pool, which needs to know what page a frame was bound to. */
    public interface TableMaker {
        /**
         * Makes an empty table.
         *
         * @param frames how many frames there are
         * @param states where their identities lie
         * @return the table
         */
        PageTable make(int frames, FrameStates states);
    }

    /**
     * Makes a pool whose frames are all free.
     *
     * @param options sizes and waits; soft and hard maximum are the same
     * @param pageBytes the size of a page, a power of two
     * @param policy chooses the victims
     * @param tables makes the table
     * @param source reads pages
     * @param optimistic whether whoever meets a page that is not loaded reads it; else it waits
     */
    public PagePool(
            PoolOptions options,
            int pageBytes,
            ReplacementPolicy policy,
            TableMaker tables,
            PageSource source,
            boolean optimistic) {
        int frames = options.softFrames();
        this.pool = new FramePool<>(options, policy, new PageContents());
        this.states = pool.states();
        this.weightCap = pool.weightCap();
        this.observesHits = pool.observesHits();
        this.latches = new Latches(states, frames);
        this.table = tables.make(frames, states);
        this.memory = new FrameMemory(pageBytes, frames + spares(frames));
        this.source = source;
        this.options = options;
        this.optimistic = optimistic;
        this.reserved = new int[frames];
    }

    /**
     * {@return how many buffers a pool has beside those of its frames}
     *
     * @param frames how many frames it has
     */
    public static int spares(int frames) {
        return Math.max(2, Math.min(MOST_SPARES, frames / 4));
    }

    /** {@return the latches of the frames} */
    public Latches latches() {
        return latches;
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
        int near = table.guess(id);
        if (near != NONE && tryPinReady(near, id)) {
            onHit(near);
            return near;
        }
        for (; ; ) {
            int frame = table.find(id);
            if (frame != NONE) {
                if (tryPinReady(frame, id) || tryPinLoading(frame, id)) {
                    onHit(frame);
                    return frame;
                }
                continue;
            }
            source.check(id);
            frame = pageIn(id, true);
            if (frame != FramePool.LOST) {
                return frame;
            }
        }
    }

    private void onHit(int frame) {
        count(hits);
        if (observesHits) {
            boolean told = false;
            try {
                pool.onHit(frame);
                told = true;
            } finally {
                if (!told) {
                    pool.unpin(frame);
                }
            }
        }
    }

    /**
     * Brings a page in whose bytes are all zero, on the device too.
     *
     * @param id the page
     * @return its frame, pinned; the page is loaded
     * @throws IOException if another thread was first and it could not be read
     */
    public int pinZero(long id) throws IOException {
        int frame = pageIn(id, false);
        return frame == FramePool.LOST ? pin(id) : frame;
    }

    /**
     * Drops a pin.
     *
     * @param frame a frame that the caller has pinned
     */
    public void unpin(int frame) {
        pool.unpin(frame);
    }

    private boolean tryPinReady(int frame, long id) {
        if (!states.tryPinReady(frame, id, weightCap)) {
            return false;
        }
        if (states.identity(frame) == id) {
            return true;
        }
        pool.unpin(frame);
        return false;
    }

    /** Pins the frame of a page that another thread is bringing in, or throwing out; false if it has left the frame. */
    private boolean tryPinLoading(int frame, long id) throws IOException {
        if (states.tryPin(frame, weightCap) == FrameStates.NOT_PINNED) {
            pool.awaitUnclaimed(frame);
            return false;
        }
        boolean loaded = false;
        try {
            loaded = states.identity(frame) == id && table.find(id) == frame && awaitLoaded(frame, id);
        } finally {
            if (!loaded) {
                pool.unpin(frame);
            }
        }
        return loaded;
    }

    // --- page-in -----------------------------------------------------------------------------------------------------

    /** Maps a page, reads it or clears its bytes, and publishes it. */
    private int pageIn(long id, boolean read) throws IOException {
        int frame = pool.admit(id, arrival);
        if (frame == FramePool.LOST) {
            return frame;
        }
        int buffer = reserved[frame];
        try {
            count(misses);
            fill(buffer, id, read);
        } catch (Throwable failure) {
            if (isFailed(frame, id, buffer, failure)) {
                throw failure;
            }
            return frame;
        }
        boolean published = false;
        try {
            if (tryPublish(frame, buffer, buffer)) {
                pool.loaded(id, frame);
            } else {
                memory.offer(buffer);
                if (read) {
                    count(wastedReads);
                }
            }
            published = true;
        } finally {
            if (!published) { // a policy that throws
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
        count(reads);
        boolean filled = false;
        try {
            source.read(id, bytes);
            filled = true;
        } finally {
            if (!filled) {
                count(failedReads);
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

    /** {@return whether the page is loaded now; false if the caller must look it up again} */
    private boolean awaitLoaded(int frame, long id) throws IOException {
        for (; ; ) {
            long word = states.buffer(frame);
            if (BufferWord.isLoaded(word)) {
                return true;
            }
            if (word == BufferWord.FAILED) {
                pool.awaitReady(frame); // until the page is unmapped, or it would be found here again
                return false;
            }
            int spare = optimistic ? takeSpare() : FrameMemory.NONE;
            if (spare != FrameMemory.NONE) {
                try {
                    return readBeside(frame, id, BufferWord.buffer(word), spare);
                } finally {
                    helpers.getAndDecrement();
                }
            }
            if (!pool.awaitReady(frame)) {
                throw failureOf(frame, id);
            }
        }
    }

    /** {@return a buffer for a thread that reads beside another, or NONE if as many as there are spare ones do} */
    private int takeSpare() {
        int spare = FrameMemory.NONE;
        if (helpers.getAndIncrement() < spares(reserved.length)) {
            spare = memory.poll();
        }
        if (spare == FrameMemory.NONE) {
            helpers.getAndDecrement();
        }
        return spare;
    }

    private boolean readBeside(int frame, long id, int reservedBuffer, int spare) throws IOException {
        boolean used = false;
        try {
            fill(spare, id, true);
            used = tryPublish(frame, reservedBuffer, spare);
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
            pool.loaded(id, frame);
            return true;
        }
        boolean loaded = BufferWord.isLoaded(states.buffer(frame));
        if (loaded) {
            count(wastedReads);
        } else {
            pool.awaitReady(frame); // it has failed: until the page is unmapped, or it would be found here again
        }
        return loaded;
    }

    private IOException failureOf(int frame, long id) {
        Throwable cause = failures.get(frame);
        String detail = cause == null ? "" : ": " + cause.getMessage();
        return new IOException(source.describe(id) + " could not be read by the thread that was first" + detail, cause);
    }

    /** There are always enough in the end: more than the frames need are taken only by reads under way. */
    private int takeBuffer(int frame) {
        int buffer = memory.poll();
        if (buffer != FrameMemory.NONE) {
            return buffer;
        }
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
                                    "a buffer for " + describe(frame) + ", since all are in use by reads",
                                    Duration.ofNanos(waited));
                }
                buffer = memory.poll();
            }
            return buffer;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // --- optimistic reads --------------------------------------------------------------------------------------------

    /**
     * Begins to read a page without a pin. Tells the policy of the hit: nothing is stored while the weight is at its cap. A policy that
     * wants to know each hit cannot be told of one without a pin.
     *
     * @param id the page
     * @param read the caller's; tells the buffer, and validates in the end
     * @return false if the page is not here, or being written, or the policy wants to know each hit
     */
    public boolean beginUnpinned(long id, UnpinnedRead read) {
        if (observesHits) {
            return false;
        }
        int near = table.guess(id);
        if (near == NONE || !read.begin(states, near, id, weightCap)) {
            int frame = table.find(id);
            if (frame == NONE || !read.begin(states, frame, id, weightCap)) {
                return false;
            }
        }
        count(hits);
        return true;
    }

    /**
     * Takes over the version of a page that the caller has pinned and latched to read.
     *
     * @param frame its frame
     * @param read the caller's
     */
    public void beginPinned(int frame, UnpinnedRead read) {
        read.beginLatched(states, frame);
    }

    /**
     * {@return the buffer of a page}
     *
     * @param frame a frame that the caller has pinned, and in which a page is loaded
     */
    public int buffer(int frame) {
        return BufferWord.buffer(states.buffer(frame));
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting; nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collect(boolean on) {
        collecting = on;
        pool.collect(on);
    }

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }

    /** {@return pages found mapped while collecting} */
    public long hits() {
        return hits.sum();
    }

    /** {@return pages mapped while collecting} */
    public long misses() {
        return misses.sum();
    }

    /** {@return reads begun while collecting} */
    public long reads() {
        return reads.sum();
    }

    /** {@return reads that succeeded, but another thread's was used, while collecting} */
    public long wastedReads() {
        return wastedReads.sum();
    }

    /** {@return reads that failed while collecting} */
    public long failedReads() {
        return failedReads.sum();
    }

    /** {@return pages thrown out while collecting} */
    public long evictions() {
        return pool.evictions();
    }

    /** {@return frames that the policy looked at in search of victims while collecting} */
    public long inspected() {
        return pool.inspected();
    }

    /** {@return how many frames have a pin at the moment} */
    public int pinned() {
        return countFrames(s -> FrameState.pins(s) > 0);
    }

    /** {@return how many frames hold nothing at the moment} */
    public int free() {
        return countFrames(FrameState::isFree);
    }

    private int countFrames(LongPredicate figure) {
        int count = 0;
        for (int frame = 0; frame < reserved.length; frame++) {
            count += figure.test(states.state(frame)) ? 1 : 0;
        }
        return count;
    }

    /**
     * Names some of the pages that are pinned.
     *
     * @param most how many
     * @return a text; empty if none is pinned
     */
    public String describePinned(int most) {
        StringBuilder text = new StringBuilder();
        int named = 0;
        for (int frame = 0; frame < reserved.length && named < most; frame++) {
            int pins = FrameState.pins(states.state(frame));
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
     * Checks the invariants while no other thread uses the pool: frames and buffers are all accounted for, and the table maps
     * each loaded page to its frame and nothing else.
     *
     * @throws IllegalStateException if one does not hold
     */
    public void checkIntegrity() {
        pool.checkFreeFrames();
        int mapped = 0;
        int withBuffer = 0;
        for (int frame = 0; frame < reserved.length; frame++) {
            long state = states.state(frame);
            long word = states.buffer(frame);
            withBuffer += BufferWord.hasBuffer(word) ? 1 : 0;
            boolean loaded = FrameState.content(state) == FrameState.READY && !FrameState.isFree(state);
            mapped += loaded ? 1 : 0;
            expect(loaded == BufferWord.isLoaded(word), frame, "is READY, or has a loaded buffer, but not both");
            expect(loaded || FrameState.isFree(state), frame, "is neither loaded nor free");
            expect(!loaded || table.find(states.identity(frame)) == frame, frame, "is not where the table leads");
        }
        int size = table.size();
        if (size != mapped) {
            throw new IllegalStateException(size + " pages are mapped, but " + mapped + " frames are loaded");
        }
        int free = memory.free();
        int buffers = reserved.length + spares(reserved.length);
        if (free + withBuffer != buffers) {
            throw new IllegalStateException(free + " buffers are free and " + withBuffer + " in frames, of " + buffers);
        }
    }

    private void expect(boolean holds, int frame, String fault) {
        if (!holds) {
            throw new IllegalStateException(
                    "frame " + frame + " " + fault + ": " + FrameState.toString(states.state(frame)));
        }
    }

    /** A page on its way in, up to its place in the table; without state, so one for all. */
    private final class PageArrival implements Arrival<IOException> {
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
    }

    /** Pages as the engine room sees them. They are never dirty: guards give no way to write yet. */
    private final class PageContents implements FrameContents<IOException> {
        @Override
        public boolean isDirty(int frame) {
            return false;
        }

        @Override
        public void clean(int frame) {
            throw new AssertionError("no page is dirty");
        }

        @Override
        public void vacate(int frame) {
            int buffer = BufferWord.buffer(states.buffer(frame));
            reserved[frame] = buffer;
            states.setBuffer(frame, BufferWord.reserved(buffer)); // first: no optimistic reader begins any more
            latches.renew(frame); // then: those that have begun will fail, and the buffer may be written to
            table.remove(states.identity(frame), frame);
        }

        @Override
        public boolean hasCleaner() {
            return false;
        }

        @Override
        public boolean cleanerLags() {
            return false;
        }

        @Override
        public int pollQueued() {
            return NONE;
        }

        @Override
        public void cleanLater(int frame) {
            throw new AssertionError("no page is dirty");
        }

        @Override
        public void onFrames(int frames) {
            // as many as at the beginning
        }

        @Override
        public String describe(int frame) {
            return PagePool.this.describe(frame);
        }
    }
}
