// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * For each frame, what {@link TwoRingGclock} knows of it: its page, a stamp, and a word that says in which ring its
 * token is.
 *
 * <p>A <i>token</i> stands for one listing of a frame: the frame's number in the low half, a version in the high half.
 * The <i>owner</i> of a frame is the thread that has claimed it, or that loads it; there is one at a time. Only the
 * owner begins or ends a listing, and each time it takes another version. So a token whose version is not that of the
 * word is <i>stale</i>, for ever, and can be dropped; of each listed frame there is exactly one token that is not.
 *
 * <table>
 * <caption>The shared words</caption>
 * <tr><th>word</th><th>written by</th><th>order, and what it pairs with</th></tr>
 * <tr><td>word</td><td>by the owner, in {@link #list} and {@link #unlist}: the version and the place; by the thread
 * that has the token, in {@link #move}: the place, by CAS from that version and place; in {@link #move} by the thread
 * that writes the page, from ASIDE</td><td>atomic exchange and CAS; loads are acquire. A CAS that loses against an
 * owner's exchange has met a stale token. An owner that has the token, or knows that there is none, stores with
 * release order instead, since no CAS can succeed</td></tr>
 * <tr><td>page</td><td>the owner, before it lists the frame</td><td>plain: read by owners only, and the pool orders one
 * owner before the next</td></tr>
 * <tr><td>stamp</td><td>the owner, before it lists the frame; the thread that has the token, when it returns the token
 * to the hot ring</td><td>opaque, since any thread may read it; a late store after the frame was reloaded gives the
 * frame a younger stamp than it has earned</td></tr>
 * </table>
 *
 * <p>{@code grown} is written under the pool's lock of growth, and read by all threads (volatile); arrays of frames
 * never go away. Thread-safe, provided that owners are owners.
 */
class ListedFrames {
    /** Not listed: never loaded, or removed. */
    static final int NONE = 0;
    /** The token is in the hot ring, or in the hand of the thread that took it from there. */
    static final int HOT = 1;
    /** The same for the cold rings. */
    static final int COLD = 2;
    /** Listed, without a token: the frame is dirty, or a ring had no cell for the token. */
    static final int ASIDE = 3;
    /** Not listed: evicted. */
    static final int EVICTED = 4;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PAGE = 0;
    private static final int STAMP = 1;
    private static final int WORD = 2;
    private static final int ROW = 3;
    private static final int VERSION_SHIFT = 32;
    private static final long FRAME = (1L << VERSION_SHIFT) - 1;
    private static final long VERSIONS = 0x7FFF_FFFFL;
    private static final int PLACE_BITS = 3;
    private static final int PLACE = (1 << PLACE_BITS) - 1;
    private static final int CHUNK_SHIFT = 8;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;

    private final int first;
    private final long[] rows;
    private volatile long[][] grown = {};

    ListedFrames(int frames) {
        first = frames;
        rows = new long[ROW * frames];
    }

    /** Makes room for frames 0 to {@code frames − 1}. */
    final void ensureFrames(int frames) {
        long[][] had = grown;
        int chunks = (frames - first + CHUNK_MASK) >> CHUNK_SHIFT;
        if (chunks > had.length) {
            long[][] more = Arrays.copyOf(had, chunks);
            for (int i = had.length; i < chunks; i++) {
                more[i] = new long[ROW << CHUNK_SHIFT];
            }
            grown = more;
        }
    }

    private long[] rows(int frame) {
        return frame < first ? rows : grown[(frame - first) >> CHUNK_SHIFT];
    }

    private int at(int frame) {
        return ROW * (frame < first ? frame : (frame - first) & CHUNK_MASK);
    }

    static int frame(long token) {
        return (int) (token & FRAME);
    }

    /** {@return the place in a word} */
    static int place(long word) {
        return (int) word & PLACE;
    }

    /** {@return 1 if a frame with this word is hot, else 0} */
    static int hotFrames(long word) {
        return place(word) == HOT ? 1 : 0;
    }

    static boolean isListed(long word) {
        int place = place(word);
        return place != NONE && place != EVICTED;
    }

    /** {@return the number that {@link #unlist} has left in a word} */
    static int note(long word) {
        return (int) (word & FRAME) >>> PLACE_BITS;
    }

    final long word(int frame) {
        return (long) LONG.getAcquire(rows(frame), at(frame) + WORD);
    }

    /** {@return whether the token stands for the present listing of its frame, in this place} */
    final boolean isIn(long token, int place) {
        long word = word(frame(token));
        return word >>> VERSION_SHIFT == token >>> VERSION_SHIFT && place(word) == place;
    }

    /** {@return the token of a frame with this word} */
    static long token(int frame, long word) {
        return (word & ~FRAME) | frame;
    }

    /**
     * Changes the place of a listed frame.
     *
     * @return false if the token is stale, or the frame not in the place {@code from}
     */
    boolean move(long token, int from, int to) {
        int frame = frame(token);
        long version = token & ~FRAME;
        return LONG.compareAndSet(rows(frame), at(frame) + WORD, version | from, version | to);
    }

    private static long nextVersion(long word) {
        return ((word >>> VERSION_SHIFT) + 1 & VERSIONS) << VERSION_SHIFT;
    }

    /**
     * Begins a listing. The calling thread owns the frame.
     *
     * @return the word before
     */
    final long list(int frame, long page, long stamp, int place) {
        long[] rows = rows(frame);
        int at = at(frame);
        rows[at + PAGE] = page;
        LONG.setOpaque(rows, at + STAMP, stamp);
        long before = (long) LONG.getAcquire(rows, at + WORD);
        return set(rows, at + WORD, before, nextVersion(before) | place, !isListed(before));
    }

    /** No thread but the owner changes the word of a frame whose token there is not, or is in the owner's hand. */
    private static long set(long[] rows, int word, long before, long next, boolean alone) {
        if (alone) {
            LONG.setRelease(rows, word, next);
            return before;
        }
        return (long) LONG.getAndSet(rows, word, next);
    }

    /**
     * Ends a listing. The calling thread owns the frame. Page and stamp stay.
     *
     * @param hasToken whether the calling thread has the token that is not stale
     * @param place NONE or EVICTED
     * @param note a small number to be remembered
     * @return the word before
     */
    final long unlist(int frame, boolean hasToken, int place, int note) {
        long[] rows = rows(frame);
        int at = at(frame);
        long before = (long) LONG.getAcquire(rows, at + WORD);
        return set(rows, at + WORD, before, nextVersion(before) | (long) note << PLACE_BITS | place, hasToken);
    }

    /** {@return the page of a frame that the calling thread owns} */
    final long page(int frame) {
        return rows(frame)[at(frame) + PAGE];
    }

    final long stamp(int frame) {
        return (long) LONG.getOpaque(rows(frame), at(frame) + STAMP);
    }

    final void setStamp(int frame, long stamp) {
        LONG.setOpaque(rows(frame), at(frame) + STAMP, stamp);
    }
}
