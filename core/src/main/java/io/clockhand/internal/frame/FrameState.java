// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/**
 * The state word of a frame, bit by bit; {@link FrameStates} changes it.
 *
 * <pre>
 *  63            48 47 46 45 44 43 42 41 40 39 38 37 36 35              16 15               0
 * +----------------+-----+--+--+--+--+--+--+--+--+--+--+------------------+------------------+
 * |   generation   |cont.| r| U| Y| K| Q| W| w| F| D| C|      weight      |       pins       |
 * +----------------+-----+--+--+--+--+--+--+--+--+--+--+------------------+------------------+
 * </pre>
 *
 * <table>
 * <caption>The fields, and the threads that write them</caption>
 * <tr><th>field</th><th>meaning</th><th>written by</th></tr>
 * <tr><td>pins</td><td>threads that may use the content</td><td>+1 by any finder while C and D are clear; −1 by the
 * holder of a pin</td></tr>
 * <tr><td>weight</td><td>GCLOCK weight, saturating</td><td>+1 together with a pin or by a reader without one, −1 by a
 * sweeping thread while pins = 0</td></tr>
 * <tr><td>C claimed</td><td>one thread owns the frame (of a page, when it has closed the latch, too); no thread can pin
 * it</td><td>set by CAS from pins = 0 (or from the owner's last pin); cleared by the claimer only</td></tr>
 * <tr><td>D doomed</td><td>unmapped while stale pins remain; the last unpin frees it</td><td>set by the thread that
 * gives the frame up, cleared by the thread that took the last pin off, in a second step</td></tr>
 * <tr><td>F free</td><td>with C: without an owner, waiting for use</td><td>set by the thread that frees the frame,
 * cleared by the thread that takes it</td></tr>
 * <tr><td>w waited</td><td>a thread may be parked on this frame</td><td>set by a waiter after it has queued itself,
 * cleared by the transition that wakes it ({@link FrameWaiters})</td></tr>
 * <tr><td>W writing</td><td>a write-back is under way, at most one per frame; or the claimer clears the content</td>
 * <td>set and cleared by the writing thread, which holds a pin or the claim</td></tr>
 * <tr><td>Q queued</td><td>known to be dirty and waiting in the write-back queue; no victim</td><td>set by the claimer
 * that gives the frame back, or, of a dirty page, by a thread that searches for a victim; cleared by the thread that
 * takes the frame out of the queue, by a dirty check, by the end of a write, or by a claim</td></tr>
 * <tr><td>Y dirty</td><td>of a page: its bytes may differ from those in its file; no victim</td><td>set by the thread
 * that begins an update, under the exclusive latch and a pin, or of rows, under a share in the latch; by the thread
 * that creates the page, before it publishes it, or by the writing thread whose write has failed; cleared by the
 * writing thread, which has W and a share in the latch (or, of a page with such rows, the exclusive latch) and copies
 * the page then, or by the thread that has claimed the frame since its page goes</td></tr>
 * <tr><td>K dirty check</td><td>one of the pins belongs to a thread that only tests whether the content is
 * dirty</td><td>set with that pin, by one thread at a time; cleared by it, with the pin or without</td></tr>
 * <tr><td>U unmapped</td><td>of a page: it was invalidated; threads that use it keep it, and no other finds it, even
 * by a hint that still leads here</td><td>set by the thread that invalidates the page, which has a pin, before it
 * unmaps the page; cleared at the next binding</td></tr>
 * <tr><td>r</td><td>reserved</td><td>no thread</td></tr>
 * <tr><td>cont.</td><td>0 EMPTY, 1 READY, 2 FAILED</td><td>EMPTY at binding; READY or FAILED once by the loader, which
 * holds a pin</td></tr>
 * <tr><td>generation</td><td>counts bindings, modulo 65,536</td><td>+1 at binding, by the claimer</td></tr>
 * </table>
 */
public final class FrameState {
    /** Content not loaded yet. */
    public static final int EMPTY = 0;
    /** Content loaded: a pin gives the right to use it. */
    public static final int READY = 1;
    /** Loading failed; the frame is unmapped already. */
    public static final int FAILED = 2;

    /** The greatest weight a frame can have; weights saturate here. */
    public static final int MAX_WEIGHT = (1 << 20) - 1;

    static final long PINS = 0xFFFFL;
    static final int WEIGHT_SHIFT = 16;
    static final long WEIGHT_ONE = 1L << WEIGHT_SHIFT;
    static final long WEIGHT = (long) MAX_WEIGHT << WEIGHT_SHIFT;
    static final long CLAIMED = 1L << 36;
    static final long DOOMED = 1L << 37;
    static final long FREE = 1L << 38;
    static final long WAITED = 1L << 39;
    static final long WRITING = 1L << 40;
    static final long QUEUED = 1L << 41;
    static final long DIRTY_CHECK = 1L << 42;
    static final long DIRTY = 1L << 43;
    static final long UNMAPPED = 1L << 44;
    static final int CONTENT_SHIFT = 46;
    static final long CONTENT = 3L << CONTENT_SHIFT;
    static final long CONTENT_READY = (long) READY << CONTENT_SHIFT;
    static final long CONTENT_FAILED = (long) FAILED << CONTENT_SHIFT;
    static final int GENERATION_SHIFT = 48;
    static final long GENERATION_ONE = 1L << GENERATION_SHIFT;
    static final long GENERATION = 0xFFFFL << GENERATION_SHIFT;

    private FrameState() {}

    /**
     * {@return whether the frame has the greatest number of pins}
     *
     * @param state a state
     */
    public static boolean isFull(long state) {
        return (state & PINS) == PINS;
    }

    /**
     * {@return the number of pins in a state}
     *
     * @param state a state
     */
    public static int pins(long state) {
        return (int) (state & PINS);
    }

    /**
     * {@return the weight in a state}
     *
     * @param state a state
     */
    public static int weight(long state) {
        return (int) (state >>> WEIGHT_SHIFT) & MAX_WEIGHT;
    }

    /**
     * {@return the weight in a state; or a number above {@link #MAX_WEIGHT} if the page was unmapped}
     *
     * @param state a state
     */
    static int weightOrUnmapped(long state) {
        return (int) (state >>> WEIGHT_SHIFT) & (MAX_WEIGHT | (int) (UNMAPPED >>> WEIGHT_SHIFT));
    }

    /**
     * {@return whether the frame is claimed (free frames are, too)}
     *
     * @param state a state
     */
    public static boolean isClaimed(long state) {
        return (state & CLAIMED) != 0;
    }

    /**
     * {@return whether the frame is free}
     *
     * @param state a state
     */
    public static boolean isFree(long state) {
        return (state & FREE) != 0;
    }

    /**
     * {@return whether the frame is doomed}
     *
     * @param state a state
     */
    public static boolean isDoomed(long state) {
        return (state & DOOMED) != 0;
    }

    /**
     * {@return whether the page was unmapped while threads may use it}
     *
     * @param state a state
     */
    public static boolean isUnmapped(long state) {
        return (state & UNMAPPED) != 0;
    }

    /**
     * {@return whether the frame waits in the write-back queue}
     *
     * @param state a state
     */
    public static boolean isQueued(long state) {
        return (state & QUEUED) != 0;
    }

    /**
     * {@return whether the frame is being written back}
     *
     * @param state a state
     */
    public static boolean isWriting(long state) {
        return (state & WRITING) != 0;
    }

    /**
     * {@return whether the frame holds a page whose bytes may differ from those in its file}
     *
     * @param state a state
     */
    public static boolean isDirty(long state) {
        return (state & DIRTY) != 0;
    }

    /**
     * {@return whether the only user of the frame is a thread that tests whether it is dirty, and has not decided yet}
     *
     * @param state a state
     */
    public static boolean isDirtyCheck(long state) {
        return (state & (CLAIMED | FREE | WRITING)) == CLAIMED || (state & (PINS | DIRTY_CHECK)) == (DIRTY_CHECK | 1);
    }

    /**
     * {@return whether one of the pins belongs to a thread that tests whether the content is dirty}
     *
     * @param state a state
     */
    public static boolean isDirtyChecked(long state) {
        return (state & DIRTY_CHECK) != 0;
    }

    /**
     * {@return whether a thread may be parked on the frame}
     *
     * @param state a state
     */
    public static boolean isWaited(long state) {
        return (state & WAITED) != 0;
    }

    /**
     * {@return whether an unpin concerns no other thread: none is parked on the frame, and the frame is not doomed}
     *
     * @param state a state
     */
    public static boolean isQuiet(long state) {
        return (state & (WAITED | DOOMED)) == 0;
    }

    /**
     * {@return whether the thread that takes a pin off this state is the last one, and must free the frame}
     *
     * @param state the state before an unpin
     */
    public static boolean isLastOfDoomed(long state) {
        return (state & (DOOMED | PINS)) == (DOOMED | 1);
    }

    /**
     * {@return EMPTY, READY or FAILED}
     *
     * @param state a state
     */
    public static int content(long state) {
        return (int) ((state & CONTENT) >>> CONTENT_SHIFT);
    }

    /**
     * {@return the generation, 0 to 65,535}
     *
     * @param state a state
     */
    public static int generation(long state) {
        return (int) (state >>> GENERATION_SHIFT);
    }

    /**
     * {@return the state in words}
     *
     * @param state a state
     */
    public static String toString(long state) {
        StringBuilder text = new StringBuilder("[generation=").append(generation(state));
        text.append(", content=").append(new String[] {"EMPTY", "READY", "FAILED", "?"}[content(state)]);
        text.append(", weight=").append(weight(state)).append(", pins=").append(pins(state));
        append(text, state, CLAIMED, ", claimed");
        append(text, state, FREE, ", free");
        append(text, state, DOOMED, ", doomed");
        append(text, state, DIRTY, ", dirty");
        append(text, state, WRITING, ", writing");
        append(text, state, QUEUED, ", queued");
        append(text, state, DIRTY_CHECK, ", dirty check");
        append(text, state, UNMAPPED, ", unmapped");
        append(text, state, WAITED, ", waited");
        return text.append(']').toString();
    }

    private static void append(StringBuilder text, long state, long bit, String word) {
        if ((state & bit) != 0) {
            text.append(word);
        }
    }

    /**
     * {@return whether the frame is loaded, and neither pinned nor owned; it may be dirty or queued for write-back}
     *
     * @param state a state
     */
    public static boolean isUnused(long state) {
        return isVictim(state & ~(QUEUED | DIRTY));
    }

    /** A dirty page that is loaded, neither pinned nor owned, and not queued for write-back yet. */
    static boolean isUnqueuedDirty(long s) {
        return (s & (PINS | CLAIMED | DOOMED | QUEUED | DIRTY | CONTENT)) == (DIRTY | CONTENT_READY);
    }

    /** Loaded, and neither owned nor given up nor invalidated: it can be pinned. */
    static boolean isUsable(long s) {
        return (s & (CLAIMED | DOOMED | UNMAPPED | CONTENT)) == CONTENT_READY;
    }

    /** Loaded, and neither pinned nor owned nor dirty nor queued for write-back. */
    static boolean isVictim(long s) {
        return (s & (PINS | CLAIMED | DOOMED | QUEUED | DIRTY | CONTENT)) == CONTENT_READY;
    }

    static long freed(long s) {
        return (s & GENERATION) | CLAIMED | FREE;
    }
}
