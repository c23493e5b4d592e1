// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameRows.WORD;

import java.lang.invoke.VarHandle;

/**
 * A read of a page without a pin or a latch: where its frame's row lies, and the version that it had. Belongs to one thread, and is used
 * again and again; the row is looked for once, since every load behind an acquire load would look for it anew.
 *
 * <p>{@link #begin} loads the latch, the buffer's word and the identity, in this order, with acquire order; {@link #isUnchanged} loads the
 * latch again behind an acquire fence. What that pairs with stands in {@link Latches}.
 */
public final class UnpinnedRead {
    private long[] words = new long[FrameRows.ROW];
    private int at;
    private long latch;
    private int buffer;

    /**
     * Begins to read a page.
     *
     * @param states the words of the frames
     * @param frame a frame that perhaps holds the page
     * @param id the page
     * @param weightCap a weight below it goes up by one; at it nothing is stored
     * @return whether the frame holds the page, and nobody writes
     */
    public boolean begin(FrameStates states, int frame, long id, int weightCap) {
        long[] row = states.words(frame);
        int begin = states.at(frame);
        long seen = (long) WORD.getAcquire(row, begin + FrameRows.LATCH);
        long word = (long) WORD.getAcquire(row, begin + FrameRows.BUFFER);
        if (LatchWord.isExclusive(seen) || !BufferWord.isLoaded(word) || FrameRows.identity(row, begin) != id) {
            return false;
        }
        words = row;
        at = begin;
        latch = LatchWord.version(seen);
        buffer = BufferWord.buffer(word);
        if (FrameState.weight((long) WORD.getOpaque(row, begin)) < weightCap) {
            states.touch(frame, weightCap);
        }
        return true;
    }

    /** {@return the buffer that holds the page} */
    public int buffer() {
        return buffer;
    }

    /** {@return whether what was read since {@link #begin} is right} */
    public boolean isUnchanged() {
        VarHandle.acquireFence(); // the reads come before the load of the latch
        long seen = (long) WORD.getAcquire(words, at + FrameRows.LATCH);
        return LatchWord.version(seen) == latch && !LatchWord.isExclusive(seen);
    }

    /**
     * Takes over the version of a page that the caller has latched to read, for {@link #isUnchanged} afterwards.
     *
     * @param states the words of the frames
     * @param frame the frame that holds the page
     */
    public void beginLatched(FrameStates states, int frame) {
        words = states.words(frame);
        at = states.at(frame);
        latch = LatchWord.version(states.latch(frame));
        buffer = BufferWord.buffer(states.buffer(frame));
    }
}
