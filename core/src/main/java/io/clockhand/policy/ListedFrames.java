// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A row for each frame of {@link TwoRingGclock}: a word that says in which cell of which ring it is, its page, a stamp,
 * and the page for which it was evicted. Pages are known by their {@linkplain StampedGhosts#hash hashes}.
 *
 * <pre>
 *  63            32 31            5   4   3   2   1   0
 * +----------------+---------------+---+---+---+-------+
 * |      cell      |      0        | F | R | L | ring  |
 * +----------------+---------------+---+---+---+-------+
 * </pre>
 *
 * <p>L <i>listed</i>: the frame has a page that can be evicted. R <i>resident</i>: it is listed, or was evicted and not
 * removed. F <i>refetched</i>: it was evicted for a page that is a ghost. A frame that is not listed may keep a cell,
 * which no other frame can have meanwhile.
 *
 * <p>The <i>owner</i> of a frame is the thread that has claimed it, or that loads it; there is one at a time.
 *
 * <table>
 * <caption>The shared words</caption>
 * <tr><th>word</th><th>written by</th><th>order, and what it pairs with</th></tr>
 * <tr><td>word</td><td>the owner: begins and ends listings, in any ring; any thread: from HOT to ASIDE, and from ASIDE
 * to COLD</td><td>CAS, but for an owner whose frame is in a cold cell or not listed, since no other thread changes such
 * a word: it stores with release order. Loads are acquire. It makes no difference if a CAS meets a later listing with
 * the same word</td></tr>
 * <tr><td>page, incoming</td><td>the owner</td><td>plain: read by owners only, and the pool orders one owner before the
 * next</td></tr>
 * <tr><td>stamp</td><td>the owner, before it lists the frame; the thread that turns the hot ring</td><td>opaque, since
 * any thread may read it; a late store after the frame was reloaded gives the frame a younger stamp than it has
 * earned</td></tr>
 * </table>
 *
 * <p>{@code grown} is written under the pool's lock of growth, and read by all threads (volatile); arrays of frames
 * never go away. Thread-safe, provided that owners are owners.
 */
class ListedFrames {
    /** In no ring, and without a cell. */
    static final int NO_RING = 0;

    static final int HOT = 1;
    static final int COLD = 2;
    /** Listed without a cell: demoted a moment ago, or there was no cell for it. */
    static final int ASIDE = 3;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long RING = 0b11;
    private static final long LISTED = 1 << 2;
    private static final long RESIDENT = 1 << 3;
    private static final long REFETCHED = 1 << 4;
    private static final int CELL_SHIFT = 32;
    private static final long PLACE = RING | -1L << CELL_SHIFT;

    private static final int WORD = 0;
    private static final int STAMP = 1;
    private static final int PAGE = 2;
    private static final int INCOMING = 3;
    private static final int ROW_SHIFT = 2;
    /** With the header of an array that begins with a cache line, as large ones do, they fill one. */
    private static final int ORIGIN = 6;

    private static final int CHUNK_SHIFT = 8;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;

    private final int first;
    private final long[] rows;
    private volatile long[][] grown = {};

    ListedFrames(int frames) {
        first = frames;
        rows = new long[ORIGIN + (frames << ROW_SHIFT)];
    }

    /** Makes rows for frames 0 to {@code frames − 1}. */
    final void ensureFrames(int frames) {
        long[][] had = grown;
        int chunks = (frames - first + CHUNK_MASK) >> CHUNK_SHIFT;
        if (chunks > had.length) {
            long[][] more = Arrays.copyOf(had, chunks);
            for (int i = had.length; i < chunks; i++) {
                more[i] = new long[ORIGIN + (1 << (CHUNK_SHIFT + ROW_SHIFT))];
            }
            grown = more;
        }
    }

    /** {@return the number of frames that have rows} */
    final int count() {
        return first + (grown.length << CHUNK_SHIFT);
    }

    private long[] rows(int frame) {
        return frame < first ? rows : grown[(frame - first) >> CHUNK_SHIFT];
    }

    private int at(int frame) {
        return ORIGIN + ((frame < first ? frame : (frame - first) & CHUNK_MASK) << ROW_SHIFT);
    }

    // --- words -------------------------------------------------------------------------------------------------------

    /** {@return the word of a listed frame} */
    static long listed(int ring, int cell) {
        return (long) cell << CELL_SHIFT | RESIDENT | LISTED | ring;
    }

    static int ring(long word) {
        return (int) (word & RING);
    }

    /** {@return the cell of a frame whose ring is HOT or COLD} */
    static int cell(long word) {
        return (int) (word >>> CELL_SHIFT);
    }

    static boolean isListed(long word) {
        return (word & LISTED) != 0;
    }

    static boolean isResident(long word) {
        return (word & RESIDENT) != 0;
    }

    static boolean isRefetched(long word) {
        return (word & REFETCHED) != 0;
    }

    final long word(int frame) {
        return (long) LONG.getAcquire(rows(frame), at(frame) + WORD);
    }

    /** {@return whether a frame is listed, in this cell} */
    final boolean isIn(int frame, int ring, int cell) {
        return word(frame) == listed(ring, cell);
    }

    /** Changes the word of a frame; {@return false if it is not the expected one} */
    boolean cas(int frame, long expected, long next) {
        return LONG.compareAndSet(rows(frame), at(frame) + WORD, expected, next);
    }

    /** Begins a listing. The calling thread owns the frame, which is not listed. */
    final void list(int frame, int ring, int cell) {
        LONG.setRelease(rows(frame), at(frame) + WORD, listed(ring, cell));
    }

    /**
     * Ends the listing, if there is one. The calling thread owns the frame. It keeps its cell.
     *
     * @param removed whether its page was removed, not evicted
     * @return the word before
     */
    final long unlist(int frame, boolean removed) {
        long[] rows = rows(frame);
        int at = at(frame) + WORD;
        for (; ; ) {
            long before = (long) LONG.getAcquire(rows, at);
            int ring = ring(before);
            long next = (ring == ASIDE ? NO_RING : before & PLACE) | (removed ? 0 : RESIDENT);
            if (ring == COLD || !isListed(before)) {
                LONG.setRelease(rows, at, next);
                return before;
            }
            if (LONG.compareAndSet(rows, at, before, next)) {
                return before;
            }
        }
    }

    /** Gives a frame another cell, or none. The calling thread owns the frame, which is not listed. */
    final void keep(int frame, int ring, int cell) {
        long[] rows = rows(frame);
        int at = at(frame) + WORD;
        long before = (long) LONG.getAcquire(rows, at);
        LONG.setRelease(rows, at, (before & ~PLACE) | (long) cell << CELL_SHIFT | ring);
    }

    // --- pages and stamps --------------------------------------------------------------------------------------------

    /** Notes the page for which a frame was evicted. The calling thread owns the frame, which is not listed. */
    final void evictedFor(int frame, long incoming, boolean refetched) {
        long[] rows = rows(frame);
        int at = at(frame);
        rows[at + INCOMING] = incoming;
        if (refetched) {
            LONG.setRelease(rows, at + WORD, (long) LONG.getAcquire(rows, at + WORD) | REFETCHED);
        }
    }

    /** {@return the page for which a frame, which the calling thread owns, was evicted last} */
    final long incoming(int frame) {
        return rows(frame)[at(frame) + INCOMING];
    }

    /** {@return the page of a frame that the calling thread owns} */
    final long page(int frame) {
        return rows(frame)[at(frame) + PAGE];
    }

    /** Sets page and stamp of a frame that the calling thread owns. */
    final void setPage(int frame, long page, long stamp) {
        long[] rows = rows(frame);
        int at = at(frame);
        rows[at + PAGE] = page;
        LONG.setOpaque(rows, at + STAMP, stamp);
    }

    final long stamp(int frame) {
        return (long) LONG.getOpaque(rows(frame), at(frame) + STAMP);
    }

    final void setStamp(int frame, long stamp) {
        LONG.setOpaque(rows(frame), at(frame) + STAMP, stamp);
    }
}
