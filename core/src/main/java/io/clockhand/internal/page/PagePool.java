// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.io.IOException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Pages by id in the frames of a {@link FramePool}: hits, misses, and what an optimistic reader needs. How pages get their bytes stands in
 * {@link PageLoader}.
 *
 * <p><b>Frames found too early or too late.</b> A finder that meets a frame whose content is READY pins it by its identity, in one
 * step. One that meets a frame which is not READY pins it first and then looks the page up again: a frame that is pinned
 * cannot be bound anew, so if the page is still mapped to it, it is the page's frame for as long as the pin lasts.
 *
 * <p><b>Shares.</b> To read a page, a share in its latch does what a pin and a latch do: see {@link Latches}. Only who has to wait, for
 * the page or for its latch, pins the frame meanwhile.
 *
 * <p>Thread-safe.
 */
public final class PagePool {
    /** No frame. */
    public static final int NONE = PageTable.NONE;
    /** What {@link #share} returns when the caller has its share. */
    public static final int SHARED = PageLoader.SHARED;

    private final FramePool<IOException> pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final FrameMemory memory;
    private final PageSource source;
    private final int weightCap;
    private final boolean observesHits;
    private final int frames;
    private final PageLoader loader;
    private final PageInvalidation expulsion;
    private final PageCounters counters = new PageCounters();

    /** What became of a page that was to be read ahead. */
    public enum Ahead {
        /** It was read. */
        READ,
        /** It was here, or on its way. */
        HERE,
        /** There is no frame for it at the moment. */
        NO_FRAME
    }

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
        this.frames = options.softFrames();
        this.source = source;
        Lock lock = blocking ? new ReentrantLock() : null;
        ReplacementPolicy inForce = blocking ? Policies.under(lock, policy) : policy;
        this.pool = new FramePool<>(options, inForce, new PageContents());
        this.states = pool.states();
        this.weightCap = pool.weightCap();
        this.observesHits = pool.observesHits();
        this.table = tables.make(frames, states);
        this.loader = new PageLoader(pool, options, pageBytes, table, source, optimistic, lock, counters);
        this.latches = loader.latches();
        this.memory = loader.memory();
        this.expulsion = new PageInvalidation(pool, latches, table, source, options, lock);
    }

    /**
     * {@return how many buffers a pool has beside those of its frames}
     *
     * @param frames how many frames it has
     */
    public static int spares(int frames) {
        return PageLoader.spares(frames);
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
        int near = table.peek(id);
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
            frame = loader.pageIn(id, true, null);
            if (frame != FramePool.LOST) {
                return frame;
            }
        }
    }

    private void onHit(int frame) {
        boolean told = false;
        try {
            tellOfHit(frame);
            told = true;
        } finally {
            if (!told) {
                pool.unpin(frame);
            }
        }
    }

    private void tellOfHit(int frame) {
        counters.hit();
        if (observesHits) {
            pool.onHit(frame);
        }
    }

    /**
     * Finds a page or reads it in, and takes a share in its latch.
     *
     * @param id the page
     * @param read the caller's, which has the share then
     * @return {@link #SHARED} if the caller has the share; or the frame of the page, pinned, if the share must be waited for
     * @throws IOException if it could not be read; the next call tries again
     */
    public int share(long id, FrameRef read) throws IOException {
        int frame = table.peek(id);
        if (frame != NONE) {
            if (tryShare(frame, id, read)) {
                return SHARED;
            }
            frame = table.find(id);
        }
        for (; ; frame = table.find(id)) {
            if (frame != NONE) {
                if (tryShare(frame, id, read)) {
                    return SHARED;
                }
                if (tryPinReady(frame, id) || tryPinLoading(frame, id)) {
                    onHit(frame);
                    return frame;
                }
            } else {
                source.check(id);
                frame = loader.pageIn(id, true, read);
                if (frame != FramePool.LOST) {
                    return frame;
                }
            }
        }
    }

    private boolean tryShare(int frame, long id, FrameRef read) {
        if (!read.begin(states, frame, id) || !read.tryShare()) {
            return false;
        }
        boolean told = false;
        try {
            tellOfHit(frame);
            read.touch(weightCap);
            told = true;
        } finally {
            if (!told) {
                read.endShare(latches);
            }
        }
        return true;
    }

    /**
     * Brings a page in whose bytes are all zero, on the device too.
     *
     * @param id the page
     * @return its frame, pinned; the page is loaded
     * @throws IOException if another thread was first and it could not be read
     */
    public int pinZero(long id) throws IOException {
        int frame = loader.pageIn(id, false, null);
        return frame == FramePool.LOST ? pin(id) : frame;
    }

    /**
     * Reads a page in that nobody asks for yet. Does not wait for a frame.
     *
     * @param id the page
     * @return what became of it
     * @throws IOException if it could not be read
     */
    public Ahead prefetch(long id) throws IOException {
        if (table.find(id) != NONE) {
            return Ahead.HERE;
        }
        source.check(id);
        int frame = loader.prefetch(id);
        if (frame < 0) {
            return frame == FramePool.LOST ? Ahead.HERE : Ahead.NO_FRAME;
        }
        pool.unpin(frame);
        return Ahead.READ;
    }

    /**
     * Throws pages out that do not exist any more: the source must refuse them by now. Waits for those who use them.
     *
     * @param first the least id
     * @param last the greatest id
     */
    public void invalidate(long first, long last) {
        expulsion.invalidate(first, last);
    }

    /**
     * Drops a pin.
     *
     * @param frame a frame that the caller has pinned
     */
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
        return frame != NONE && tryShare(frame, id, read);
    }

    /**
     * Pins a page that is resident; neither waits nor reads.
     *
     * @param id the page
     * @return its frame, or {@link #NONE}
     */
    public int tryPin(long id) {
        int frame = table.find(id);
        if (frame == NONE || !tryPinReady(frame, id)) {
            return NONE;
        }
        onHit(frame);
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
            loaded = states.identity(frame) == id && table.find(id) == frame && loader.awaitLoaded(frame, id);
        } finally {
            if (!loaded) {
                pool.unpin(frame);
            }
        }
        return loaded;
    }

    // --- optimistic reads --------------------------------------------------------------------------------------------

    /**
     * Begins to read a page without a pin. Tells the policy of the hit: nothing is stored while the weight is at its cap. A policy that
     * wants to know each hit cannot be told of one without a pin or a share.
     *
     * @param id the page
     * @param read the caller's; tells the buffer, and validates in the end
     * @return false if the page is not here, or being written, or the policy wants to know each hit
     */
    public boolean beginUnpinned(long id, FrameRef read) {
        if (observesHits) {
            return false;
        }
        int near = table.peek(id);
        if (near == NONE || !read.begin(states, near, id)) {
            int frame = table.find(id);
            if (frame == NONE || !read.begin(states, frame, id)) {
                return false;
            }
        }
        counters.hit();
        read.touch(weightCap);
        return true;
    }

    /**
     * Takes a page over in whose latch the caller has a share, after it had to wait for that.
     *
     * @param frame its frame
     * @param read the caller's
     */
    public void beginShared(int frame, FrameRef read) {
        read.beginShared(states, frame);
    }

    /**
     * Releases a share.
     *
     * @param read the caller's
     */
    public void endShare(FrameRef read) {
        read.endShare(latches);
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
        counters.collect(on);
        pool.collect(on);
    }

    /** {@return what was counted while collecting} */
    public PageCounters counters() {
        return counters;
    }

    /** {@return pages thrown out while collecting} */
    public long evictions() {
        return pool.evictions();
    }

    /** {@return frames that the policy looked at in search of victims while collecting} */
    public long framesScanned() {
        return pool.framesScanned();
    }

    /** {@return the most frames that were in use at any time} */
    public int peakFrames() {
        return pool.peakFrames();
    }

    /** {@return how many frames are in use at the moment: have a pin, or a share in their latch} */
    public int pinned() {
        return countFrames(frame -> states.users(frame) > 0);
    }

    /** {@return how many frames hold nothing at the moment} */
    public int free() {
        return countFrames(frame -> FrameState.isFree(states.state(frame)));
    }

    private int countFrames(IntPredicate figure) {
        return (int) IntStream.range(0, frames).filter(figure).count();
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
        for (int frame = 0; frame < frames && named < most; frame++) {
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
     * Checks the invariants while no other thread uses the pool: frames and buffers are all accounted for, and the table maps
     * each loaded page to its frame and nothing else.
     *
     * @throws IllegalStateException if one does not hold
     */
    public void checkIntegrity() {
        pool.checkFreeFrames();
        int mapped = 0;
        int withBuffer = 0;
        for (int frame = 0; frame < frames; frame++) {
            long state = states.state(frame);
            long word = states.buffer(frame);
            withBuffer += BufferWord.hasBuffer(word) ? 1 : 0;
            boolean loaded = FrameState.content(state) == FrameState.READY && !FrameState.isFree(state);
            boolean found = loaded && table.find(states.identity(frame)) == frame;
            mapped += found ? 1 : 0;
            expect(loaded == BufferWord.isLoaded(word), frame, "is READY, or has a loaded buffer, but not both");
            expect(loaded != latches.isClosed(frame), frame, "is READY, or its latch is closed, but not one of both");
            expect(loaded || FrameState.isFree(state), frame, "is neither loaded nor free");
            expect(!loaded || found || isGone(frame), frame, "is not where the table leads");
        }
        int size = table.size();
        if (size != mapped) {
            throw new IllegalStateException(size + " pages are mapped, but " + mapped + " of them are found");
        }
        int free = memory.free();
        int buffers = frames + spares(frames);
        if (free + withBuffer != buffers) {
            throw new IllegalStateException(free + " buffers are free and " + withBuffer + " in frames, of " + buffers);
        }
    }

    /** Its page was cut off, but somebody had it when the cut was given up. */
    private boolean isGone(int frame) {
        try {
            source.check(states.identity(frame));
            return false;
        } catch (NoSuchPageException e) {
            return true;
        }
    }

    private void expect(boolean holds, int frame, String fault) {
        if (!holds) {
            throw new IllegalStateException(
                    "frame " + frame + " " + fault + ": " + FrameState.toString(states.state(frame)));
        }
    }

    /** Pages as the engine room sees them. They are never dirty: guards give no way to write yet. */
    private final class PageContents implements FrameContents<IOException> {
        @Override
        public boolean tryClose(int frame) {
            return latches.tryClose(frame);
        }

        @Override
        public void reopen(int frame) {
            latches.open(frame, false);
        }

        @Override
        public boolean isDirty(int frame) {
            return false;
        }

        @Override
        public void clean(int frame) {
            throw new AssertionError("no page is dirty");
        }

        @Override
        public void evictContent(int frame) {
            loader.evictContent(frame);
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
