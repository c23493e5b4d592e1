// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameStates.WORD;

import java.lang.invoke.VarHandle;

/**
 * A reader's reference to a frame that it has not pinned: where the frame's header lies, and the latch word that it has
 * seen. Belongs to one thread, which uses it again and again; the header is located once, since every load behind an
 * acquire load would locate it anew.
 *
 * <p>{@link #begin} loads the latch, the buffer's word and the identity, in this order, the first two with acquire
 * order. An <i>optimistic</i> read validates in the end: {@link #isUnchanged} loads the latch again behind an acquire
 * fence. A <i>shared</i> read acquires a share in the latch by a CAS from the word that {@code begin} has seen. If the
 * CAS succeeds, the frame has not been claimed in between, since a claim closes the latch and changes its version. So
 * what {@code begin} has read is right, and stays so until {@link #endShare}. The CAS is repeated only from a latch
 * word with the same version. The release is one atomic add, without a load before it: the guard knows that it has a
 * share.
 *
 * <p>A frame whose state says that its page was {@linkplain FrameState unmapped} is refused: the hint of a page table
 * may lead to it as long as a thread uses it. A thread that invalidates a page marks it before it unmaps it, so a read
 * that begins later sees the mark. {@link Latches} says what these accesses
 * pair with.
 */
public final class FrameRef {
    /** No buffer. */
    public static final int NONE = -1;

    /** The bits of the latch that stay the same as long as the page does. */
    private static final long UNCHANGED = LatchWord.VERSION | LatchWord.EXCLUSIVE;

    private final FrameStates states;
    private final Latches latches;
    private final long[] words;
    private final int headerShift;
    private int at;
    private long latch = LatchWord.CLOSED;
    private int buffer;

    /**
     * A reference to no frame: as to a page whose latch is closed.
     *
     * @param states the words of the frames of a page pool, whose number stays
     * @param latches the latches of these frames
     */
    public FrameRef(FrameStates states, Latches latches) {
        this.states = states;
        this.latches = latches;
        words = states.firstHeaders();
        headerShift = states.headerShift();
    }

    /**
     * Begins to read a page.
     *
     * @param candidate a frame that may hold the page
     * @param id the page
     * @return whether the frame holds the page, and no thread writes
     */
    public boolean begin(int candidate, long id) {
        return begin(candidate, id, 0);
    }

    /**
     * As {@link #begin(int, long)}, and adds one to the weight of the frame if it is below {@code weightCap}. Tries
     * that once: a lost increment makes an eviction of the frame a little more likely, and nothing else. A caller that
     * begins again, since it could not share the latch, adds again.
     *
     * @param candidate a frame that may hold the page
     * @param id the page
     * @param weightCap the weight at which a hit stops adding, so that nothing is stored; 0 leaves the weight alone
     * @return as {@link #begin(int, long)}
     */
    public boolean begin(int candidate, long id, int weightCap) {
        long[] words = this.words;
        int begin = FrameStates.pageHeader(candidate, headerShift);
        long seen = (long) WORD.getAcquire(words, begin + FrameStates.LATCH);
        long word = (long) WORD.getAcquire(words, begin + FrameStates.BUFFER);
        if ((seen & (LatchWord.EXCLUSIVE | LatchWord.CLOSED)) != 0
                || !BufferWord.isLoaded(word)
                || FrameStates.identity(words, begin) != id
                || !tryHit(words, begin, weightCap)) {
            return false;
        }
        note(begin, seen, BufferWord.loadedBuffer(word));
        return true;
    }

    /** Tries once to add to the weight of a frame; {@return false if its page was unmapped} */
    private static boolean tryHit(long[] words, int begin, int weightCap) {
        long state = (long) WORD.getOpaque(words, begin);
        int weight = FrameState.weightOrUnmapped(state);
        if (weight < weightCap && FrameState.isUsable(state)) {
            WORD.compareAndSet(words, begin, state, state + FrameState.WEIGHT_ONE);
        }
        return weight <= FrameState.MAX_WEIGHT;
    }

    private void note(int begin, long seenLatch, int loaded) {
        at = begin;
        latch = seenLatch;
        buffer = loaded;
    }

    /**
     * {@link #begin(int, long, int)} and {@link #tryShare()} in one. The buffer's word and the identity are loaded
     * between the latch, with acquire order, and the CAS from the word that was seen there, so they need no order of
     * their own. Nothing is called once the thread has the share: a stack that overflows then would lose the share.
     *
     * @param candidate a frame that may hold the page
     * @param id the page
     * @param weightCap the weight at which a hit stops adding
     * @return the buffer that holds the page; or {@link #NONE} if the frame does not hold the page, or as {@link
     *     #tryShare()}
     */
    public int acquireShare(int candidate, long id, int weightCap) {
        long[] words = this.words;
        int begin = FrameStates.pageHeader(candidate, headerShift);
        long seen = (long) WORD.getAcquire(words, begin + FrameStates.LATCH);
        long word = (long) WORD.getOpaque(words, begin + FrameStates.BUFFER);
        if (!Latches.admitsReader(seen)
                || FrameStates.identity(words, begin) != id
                || !BufferWord.isLoaded(word)
                || !tryHit(words, begin, weightCap)) {
            return NONE;
        }
        int loaded = BufferWord.loadedBuffer(word);
        if (!WORD.compareAndSet(words, begin + FrameStates.LATCH, seen, seen + 1)) {
            note(begin, seen, loaded);
            return tryShare() ? loaded : NONE;
        }
        at = begin;
        latch = seen;
        buffer = loaded;
        return loaded;
    }

    /**
     * Acquires a share in the latch of the page for which {@link #begin} returned true. One atomic operation latches
     * the page and holds it in its frame.
     *
     * @return false if a thread writes or waits to write, or the page has left the frame, or the latch has its greatest
     *     number of readers
     */
    public boolean tryShare() {
        long seen = latch;
        do {
            if (!Latches.admitsReader(seen)) {
                return false;
            }
            if (WORD.compareAndSet(words, at + FrameStates.LATCH, seen, seen + 1)) {
                return true;
            }
            seen = (long) WORD.getAcquire(words, at + FrameStates.LATCH);
        } while (LatchWord.version(seen) == LatchWord.version(latch));
        return false;
    }

    /**
     * Releases the share.
     *
     * @throws IllegalStateException as {@link #completeRelease}
     */
    public void endShare() {
        long before = release();
        if (isIncomplete(before)) {
            completeRelease(before);
        }
    }

    /**
     * Releases the share by one atomic add. If this throws, the stack is used up, and the caller has the share still.
     *
     * @return the latch before, for {@link #isIncomplete}
     */
    public long release() {
        return (long) WORD.getAndAdd(words, at + FrameStates.LATCH, -1L);
    }

    /**
     * {@return whether {@link #completeRelease} must be called after a release}
     *
     * @param before the latch before the release
     */
    public boolean isIncomplete(long before) {
        long readers = before & (LatchWord.SHARERS | LatchWord.WAITED);
        return readers == 1 ? states.isFrameWanted() : readers == 0 || readers > LatchWord.SHARERS;
    }

    /**
     * Wakes the threads that wait for the latch or the frame.
     *
     * @param before the latch before the release
     * @throws IllegalStateException if the page had no reader: then the word is wrong until this is thrown, and may
     *     stay so if another thread changes it meanwhile; so a caller must know that it has a share
     */
    public void completeRelease(long before) {
        if (LatchWord.sharers(before) == 0) {
            WORD.getAndAdd(words, at + FrameStates.LATCH, 1L);
            throw Latches.misuse(frame(), before, "released by a reader");
        }
        latches.completeUnshare(frame(), before);
    }

    /** {@return the buffer that holds the page} */
    public int buffer() {
        return buffer;
    }

    /** {@return the frame of the page} */
    public int frame() {
        return FrameStates.pageFrame(at, headerShift);
    }

    /**
     * {@return whether the latch has the version that {@link #begin} saw: if the caller has it exclusively, nothing has
     * changed since then}
     */
    public boolean hasSameVersion() {
        long seen = (long) WORD.getAcquire(words, at + FrameStates.LATCH);
        return LatchWord.version(seen) == LatchWord.version(latch);
    }

    /** Goes on with the read of another reference of the same pool, and with its share if it has one. */
    public void copyFrom(FrameRef other) {
        at = other.at;
        latch = other.latch;
        buffer = other.buffer;
    }

    /** {@return whether the page has not changed since {@link #begin}, except for rows updated under a share} */
    public boolean isUnchanged() {
        VarHandle.acquireFence(); // the reads come before the load of the latch
        long seen = (long) WORD.getAcquire(words, at + FrameStates.LATCH);
        return ((seen ^ latch) & UNCHANGED) == 0; // the read began without EXCLUSIVE
    }

    /**
     * Refers to a page in whose latch the caller already has a share.
     *
     * @param shared the frame that holds the page
     */
    public void beginShared(int shared) {
        long[] words = this.words;
        int begin = FrameStates.pageHeader(shared, headerShift);
        at = begin;
        latch = (long) WORD.getAcquire(words, begin + FrameStates.LATCH);
        buffer = BufferWord.buffer((long) WORD.getAcquire(words, begin + FrameStates.BUFFER));
    }
}
