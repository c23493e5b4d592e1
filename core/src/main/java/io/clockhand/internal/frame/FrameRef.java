// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameRows.WORD;

import java.lang.invoke.VarHandle;

/**
 * A read of a page without a pin: where its frame's row lies, and what the latch was. Belongs to one thread, and is
 * used again and again; the row is looked for once, since every load behind an acquire load would look for it anew.
 *
 * <p>{@link #begin} loads the latch, the buffer's word and the identity, in this order, the first two with acquire
 * order. An <i>optimistic</i> read goes on and asks in the end whether the latch is the same still: {@link
 * #isUnchanged} loads it again behind an acquire fence. A <i>shared</i> one takes a share in the latch by a CAS from
 * the word that {@code begin} has seen: if it succeeds the frame has not been claimed in between, so what {@code begin}
 * has found is right, and it stays so until {@link #endShare}. What all this pairs with stands in {@link Latches}.
 */
public final class FrameRef {
    /** Of a read that has not begun: nobody has a share in it, and nobody gets one. */
    private static final long[] NO_ROW = new long[FrameRows.ROW];

    private long[] words = NO_ROW;
    private int at;
    private int frame;
    private long latch = LatchWord.CLOSED;
    private int buffer;

    /**
     * Begins to read a page.
     *
     * @param states the words of the frames
     * @param candidate a frame that perhaps holds the page
     * @param id the page
     * @return whether the frame holds the page, and nobody writes
     */
    @SuppressWarnings("ReferenceEquality") // the very array
    public boolean begin(FrameStates states, int candidate, long id) {
        long[] row = states.words(candidate);
        int begin = states.at(candidate);
        long seen = (long) WORD.getAcquire(row, begin + FrameRows.LATCH);
        long word = (long) WORD.getAcquire(row, begin + FrameRows.BUFFER);
        if ((seen & (LatchWord.EXCLUSIVE | LatchWord.CLOSED)) != 0
                || !BufferWord.isLoaded(word)
                || FrameRows.identity(row, begin) != id) {
            return false;
        }
        // as a rule it is the same, and the collector's barrier can cost more than the rest of a hit
        if (words != row) {
            words = row;
        }
        at = begin;
        frame = candidate;
        latch = seen;
        buffer = BufferWord.buffer(word);
        return true;
    }

    /**
     * Takes a share in the latch of the page for which {@link #begin} was true: one atomic operation that latches the
     * page and keeps it.
     *
     * @return false if somebody writes or waits to write, or the page has left the frame; or if there are as many
     *     readers as can be
     */
    public boolean tryShare() {
        long seen = latch;
        do {
            if ((seen & Latches.NO_READERS) != 0 || LatchWord.sharers(seen) == LatchWord.SHARERS) {
                return false;
            }
            if (WORD.compareAndSet(words, at + FrameRows.LATCH, seen, seen + 1)) {
                return true;
            }
            seen = (long) WORD.getAcquire(words, at + FrameRows.LATCH);
        } while (LatchWord.version(seen) == LatchWord.version(latch));
        return false;
    }

    /**
     * Releases the share in one atomic add.
     *
     * @param latches the latches of the frames
     * @throws IllegalStateException if the page has no reader
     */
    public void endShare(Latches latches) {
        long seen = (long) WORD.getAcquire(words, at + FrameRows.LATCH);
        if (LatchWord.sharers(seen) == 0) { // before the add, which must not borrow from other fields
            throw Latches.misuse(frame, seen, "released by a reader");
        }
        latches.completeUnshare(frame, (long) WORD.getAndAdd(words, at + FrameRows.LATCH, -1L));
    }

    /**
     * Tells the policy of a hit: adds one to the weight if it is below {@code weightCap}. Tries once: a weight that is
     * not added costs no more than a bit of the frame's chance to stay.
     *
     * @param weightCap the weight at which a hit stops adding, so that nothing is stored; 0 leaves the weight alone
     */
    public void touch(int weightCap) {
        long state = (long) WORD.getOpaque(words, at);
        if (FrameState.weight(state) < weightCap && FrameState.isUsable(state)) {
            WORD.compareAndSet(words, at, state, state + FrameState.WEIGHT_ONE);
        }
    }

    /** {@return the buffer that holds the page} */
    public int buffer() {
        return buffer;
    }

    /** {@return the frame of the page} */
    public int frame() {
        return frame;
    }

    /**
     * {@return whether the latch has the version that {@link #begin} saw: if the caller has it exclusively, nothing has
     * changed since then}
     */
    public boolean hasSameVersion() {
        long seen = (long) WORD.getAcquire(words, at + FrameRows.LATCH);
        return LatchWord.version(seen) == LatchWord.version(latch);
    }

    /** Goes on with the read of another reference, and with its share if it has one. */
    public void copyFrom(FrameRef other) {
        words = other.words;
        at = other.at;
        frame = other.frame;
        latch = other.latch;
        buffer = other.buffer;
    }

    /** {@return whether what was read since {@link #begin} is right} */
    public boolean isUnchanged() {
        VarHandle.acquireFence(); // the reads come before the load of the latch
        long seen = (long) WORD.getAcquire(words, at + FrameRows.LATCH);
        return LatchWord.version(seen) == LatchWord.version(latch) && !LatchWord.isExclusive(seen);
    }

    /**
     * Takes a page over in whose latch the caller has a share already.
     *
     * @param states the words of the frames
     * @param shared the frame that holds the page
     */
    public void beginShared(FrameStates states, int shared) {
        words = states.words(shared);
        at = states.at(shared);
        frame = shared;
        latch = states.latch(shared);
        buffer = BufferWord.buffer(states.buffer(shared));
    }
}
