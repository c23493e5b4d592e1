// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The hand that many threads turn over {@link FrameCells}: one CAS takes a range of cells, which the thread's stripe
 * then passes one by one, so that misses of different threads meet seldom.
 *
 * <p><b>Shared words.</b> The hand has the first cell of the next range; it is changed by CAS. A stripe has the next
 * cell of its range, loaded and stored with opaque order. Nothing depends on these words but the order in which frames
 * are tried: two threads of a stripe may try the same cell, and a thread that stalls may set its stripe back. If the
 * threads of a stripe miss no more, others pass the rest of its range one revolution later. {@code length} is written
 * under the pool's lock of growth (volatile). Thread-safe.
 */
final class RangedHand {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int GREATEST_LENGTH = 16;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** A few for each processor; many threads share them. */
    private static final int STRIPES = Integer.highestOneBit(Math.min(64, 4 * PROCESSORS));

    /** Longs from one word to the next: two cache lines, since processors prefetch lines in pairs. */
    private static final int STRIDE = 16;
    /** Before those of the stripes. */
    private static final int HAND = STRIDE;

    private final FrameCells cells;
    private final long[] words = new long[(STRIPES + 2) * STRIDE];
    /**
     * Of a range: a power of two. Ranges begin at multiples of it; but for a revolution after it has grown they may
     * begin elsewhere, and a thread passes only a part of each.
     */
    private volatile int length;

    RangedHand(FrameCells cells, int frames) {
        this.cells = cells;
        setFrames(frames);
    }

    /** Sets the number of frames that the cells have usually: all stripes together have a quarter of them at most. */
    void setFrames(int frames) {
        length = Integer.highestOneBit(Math.max(1, Math.min(GREATEST_LENGTH, frames / (4 * STRIPES))));
    }

    private static int stripe() {
        return ((int) Thread.currentThread().getId() & (STRIPES - 1)) * STRIDE + 2 * STRIDE;
    }

    /** {@return the cell that the calling thread would try next} */
    int position() {
        return (int) (long) WORD.getOpaque(words, stripe());
    }

    /** {@return the cell that the calling thread tries now} The ring must have cells. */
    int begin() {
        return rangeAt(position());
    }

    int next(int cell) {
        return rangeAt(cell + 1);
    }

    /** The calling thread ends its search at this cell. */
    void end(int cell) {
        WORD.setOpaque(words, stripe(), cell + 1L);
    }

    /** {@return a cell that is among the next ones} */
    int oldest() {
        return hand();
    }

    /** {@return the cell, or the first one of another range if it is the end of one} */
    private int rangeAt(int cell) {
        int range = length;
        return (cell & (range - 1)) != 0 && cell < cells.end() ? cell : takeRange(range);
    }

    private int takeRange(int range) {
        for (; ; ) {
            int begin = hand();
            int end = cells.end();
            long next = begin + range < end ? begin + range : 0;
            if (WORD.compareAndSet(words, HAND, (long) begin, next)) {
                return begin < end ? begin : 0;
            }
        }
    }

    private int hand() {
        return (int) (long) WORD.getOpaque(words, HAND);
    }
}
