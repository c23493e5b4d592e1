// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A ring of cells over which a clock hand turns. A cell is empty or has the number of one frame, which may be marked.
 *
 * <p>A frame stays in its cell while the hand passes. So a frame that goes to the end of the queue, or whose page is
 * replaced by another one, changes no cell. The ring grows by a cell when a frame finds no empty one behind the hand,
 * up to twice the number of frames; it never shrinks, since an empty cell costs a hand one load.
 *
 * <table>
 * <caption>The shared words</caption>
 * <tr><th>word</th><th>written by</th><th>order, and what it pairs with</th></tr>
 * <tr><td>cell, empty</td><td>any thread, in {@link #put}, by CAS</td><td>the CAS makes the thread responsible for the
 * cell until the frame's word in {@link ListedFrames} names the cell</td></tr>
 * <tr><td>cell, with a frame</td><td>the responsible thread: the one that changed the frame's word so that it names the
 * cell no more, or the frame's owner while the frame is not listed; and for the mark by any thread, by CAS between the
 * frame with and without it</td><td>acquire and release, so that a reader of an added frame's number sees the arrays
 * that have it; a cell counts only if the frame's word names it. A store of the responsible thread that overwrites a
 * mark takes it off. A full fence follows {@link #tryMark}, and precedes {@link #unmark} of a frame that has become
 * clean or whose word has come to name the cell, see {@link TwoRingGclock}</td></tr>
 * <tr><td>END</td><td>any thread, by CAS to one more, after the cell there was filled</td><td>the threads that lose the
 * CAS have seen it done</td></tr>
 * <tr><td>HAND</td><td>any thread, by CAS; a {@link RangedHand} has words of its own instead</td><td>advisory: two
 * threads at one cell do no harm</td></tr>
 * <tr><td>CURSOR</td><td>a thread that searches for an empty cell; opaque</td><td>advisory</td></tr>
 * </table>
 *
 * <p>{@code grown} is written under the pool's lock of growth, and read by all threads (volatile); cells never go away.
 * Nothing here allocates but for growth, waits or throws. Lock-free and thread-safe.
 */
class FrameCells {
    /** No cell, or no frame. */
    static final int NONE = -1;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int CELLS_PER_FRAME = 2;
    /** For frames that are between two cells. */
    private static final int SPARE_CELLS = 16;

    private static final int LOOK_BACK = 8;
    private static final int CHUNK_SHIFT = 9;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
    /** Two cache lines lie between these words, and around them, since processors prefetch in pairs. */
    private static final int END = 16;

    private static final int HAND = 32;
    private static final int CURSOR = 48;
    private static final int WORDS = 64;

    private final long[] words = new long[WORDS];
    /** 0 is an empty cell; a frame is its number plus one, negative if it is marked. */
    private final int[] cells;

    private volatile int[][] grown = {};

    /**
     * Makes an empty ring.
     *
     * @param frames the number of frames
     */
    FrameCells(int frames) {
        cells = new int[cells(frames)];
    }

    private static int cells(int frames) {
        return (int) Math.min(1 << 30, (long) CELLS_PER_FRAME * frames + SPARE_CELLS);
    }

    /** Makes cells for frames 0 to {@code frames − 1}. */
    final void ensureFrames(int frames) {
        int[][] had = grown;
        int chunks = (cells(frames) - cells.length + CHUNK_MASK) >> CHUNK_SHIFT;
        if (chunks > had.length) {
            int[][] more = Arrays.copyOf(had, chunks);
            for (int i = had.length; i < chunks; i++) {
                more[i] = new int[1 << CHUNK_SHIFT];
            }
            grown = more;
        }
    }

    private int[] array(int cell) {
        return cell < cells.length ? cells : grown[(cell - cells.length) >> CHUNK_SHIFT];
    }

    private int at(int cell) {
        return cell < cells.length ? cell : (cell - cells.length) & CHUNK_MASK;
    }

    private int value(int cell) {
        return (int) CELL.getAcquire(array(cell), at(cell));
    }

    private void setValue(int cell, int value) {
        CELL.setRelease(array(cell), at(cell), value);
    }

    boolean cas(int cell, int expected, int value) {
        return CELL.compareAndSet(array(cell), at(cell), expected, value);
    }

    // --- cells -------------------------------------------------------------------------------------------------------

    /** {@return the frame in a cell, unless it is marked; or NONE} */
    final int unmarked(int cell) {
        return Math.max(value(cell), 0) - 1;
    }

    /** {@return the frame in a cell, or NONE} */
    final int frame(int cell) {
        return Math.abs(value(cell)) - 1;
    }

    /**
     * Puts a frame into an empty cell: the nearest behind a cell, or a new one, or any.
     *
     * @return the cell, for which the calling thread is responsible; or NONE if there is none
     */
    final int put(int frame, int before) {
        int end = end();
        for (int i = 1; i <= LOOK_BACK; i++) {
            int cell = before - i;
            cell = cell < 0 ? cell + end : cell;
            if (cell < 0 || cell >= end) {
                break;
            }
            if (value(cell) == 0 && cas(cell, 0, frame + 1)) {
                return cell;
            }
        }
        while (end < capacity()) {
            boolean mine = value(end) == 0 && cas(end, 0, frame + 1);
            WORD.compareAndSet(words, END, (long) end, end + 1L); // if another thread was first, for that one
            if (mine) {
                return end;
            }
            end = end();
        }
        return putAnywhere(frame);
    }

    private int putAnywhere(int frame) {
        int end = end(); // a hand visits no cell past it
        int cell = (int) (long) WORD.getOpaque(words, CURSOR);
        for (int steps = end; steps > 0; steps--) {
            cell = cell + 1 < end ? cell + 1 : 0;
            if (value(cell) == 0 && cas(cell, 0, frame + 1)) {
                WORD.setOpaque(words, CURSOR, (long) cell);
                return cell;
            }
        }
        return NONE;
    }

    /** Puts a frame into a cell for which the calling thread is responsible. */
    final void set(int cell, int frame) {
        setValue(cell, frame + 1);
    }

    /** Empties a cell for which the calling thread is responsible. */
    final void clear(int cell) {
        setValue(cell, 0);
    }

    /** Marks the frame in a cell; {@return false if it is marked, or not there} */
    final boolean tryMark(int cell, int frame) {
        return cas(cell, frame + 1, -frame - 1);
    }

    /** Takes the mark off the frame in a cell, if it is there and has one. */
    final void unmark(int cell, int frame) {
        if (value(cell) == -frame - 1) {
            cas(cell, -frame - 1, frame + 1);
        }
    }

    // --- the hand ----------------------------------------------------------------------------------------------------

    /** {@return the number of cells that have been filled} */
    final int end() {
        return (int) (long) WORD.getAcquire(words, END);
    }

    private int capacity() {
        return cells.length + (grown.length << CHUNK_SHIFT);
    }

    /** {@return the cell at the hand} */
    final int hand() {
        return (int) (long) WORD.getAcquire(words, HAND);
    }

    /** Moves the hand from a cell to another one, or to the first one if that is past the end. */
    final boolean tryAdvance(int from, int to) {
        return WORD.compareAndSet(words, HAND, (long) from, to < end() ? (long) to : 0L);
    }
}
