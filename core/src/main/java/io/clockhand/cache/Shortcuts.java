// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * The frame in which the content of each tag was found last, so that most hits bypass the table and the entry: from
 * here it is one step to the frame's header, where identity and state lie side by side.
 *
 * <p>Hints and nothing more. There are at least as many pairs of places as frames; each tag has a pair, whose places
 * other tags take over, and which is not cleared when a content leaves. A reader of a hint must pin the frame by {@link
 * io.clockhand.internal.frame.FrameStates#tryPinReady} before it trusts the hint. All accesses are plain. Only frames
 * that the cache began with are noted, since a thread might not see the header of a later one yet; and only tags that
 * belong to one key.
 */
final class Shortcuts {
    /** Returned by {@link #frame} where nothing is noted. */
    static final int NONE = -1;

    /** The lower bits of a place hold a frame + 1, or 0; those above a mark of the tag. */
    private static final int FRAME_BITS = 26;

    private static final int FRAME = (1 << FRAME_BITS) - 1;
    private static final int MARK_BITS = Integer.SIZE - FRAME_BITS;
    private static final int LEAST_BITS = 4;
    /** 2⁶⁴ divided by the golden ratio: spreads tags that follow each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final int[] places;
    private final int shift;
    private final int frames;

    /**
     * Creates places that are all empty.
     *
     * @param frames the number of frames that the cache begins with; 0 for a cache without shortcuts
     */
    Shortcuts(int frames) {
        this.frames = Math.min(frames, FRAME - 1);
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, this.frames) - 1);
        bits = Math.max(LEAST_BITS, bits);
        this.places = new int[2 << bits];
        this.shift = Long.SIZE - bits;
    }

    /** {@return the frame that is noted for the tag, or for another with the same mark; or {@link #NONE}} */
    int frame(long tag) {
        long hash = tag * SPREAD;
        int pair = (int) (hash >>> shift) << 1;
        int mark = mark(hash);
        int place = places[pair];
        if (((place ^ mark) & ~FRAME) == 0 && tag >= 0) {
            return (place & FRAME) - 1;
        }
        place = places[pair + 1];
        return ((place ^ mark) & ~FRAME) == 0 && tag >= 0 ? (place & FRAME) - 1 : NONE;
    }

    /** Notes the frame of a tag. */
    void put(long tag, int frame) {
        if (tag < 0 || frame >= frames) {
            return;
        }
        long hash = tag * SPREAD;
        int pair = (int) (hash >>> shift) << 1;
        int place = mark(hash) | (frame + 1);
        int first = places[pair];
        if (first != place) {
            places[pair + 1] = first;
            places[pair] = place;
        }
    }

    /** The bits of the hash behind those that choose the pair. */
    private int mark(long hash) {
        return (int) (hash >>> (shift - MARK_BITS)) << FRAME_BITS;
    }
}
