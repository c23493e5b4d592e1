// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameState.CLAIMED;
import static io.clockhand.internal.frame.FrameState.FREE;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The layout of the words of frames: each frame has a row, with its state next to its identity.
 *
 * <p>In a small pool a row is one of eight longs (64 bytes), so that no two state words share a cache line; in a large
 * one of two longs, or of four where the frames hold pages, since there the words that fit into the processor's caches
 * count for more than several frames in a line. The numbers of holders' frames in a line lie far apart. The rows of
 * the frames that a pool begins with lie in one array, those of later ones in chunks that are added as the pool grows
 * and never go away.
 *
 * <p>{@link FrameStates} extends this class, and does not only use it, so that a hit need not load one reference more.
 */
abstract class FrameRows {
    /** The least number of initial rows, as a power of two. */
    private static final int LEAST_ROWS_BITS = 5;
    /** The greatest number of rows that are added at a time, as a power of two. */
    private static final int MOST_ADDED_BITS = 12;
    /** Up to this number of frames, each has a cache line of its own: 64 KiB of them. */
    private static final int PADDED_FRAMES = 1024;

    private static final int PADDED_ROW_SHIFT = 3;
    private static final int HOLDER_ROW_SHIFT = 1;
    private static final int PAGE_ROW_SHIFT = 2;
    /**
     * The distance in rows between neighbours, more than two lines; odd, so that every row is used. The rows of pages
     * are neighbours: two share a line in a large pool, and a hit of a page finds its row by a shift and an addition.
     */
    private static final int HOLDER_SPREAD = 9;

    private static final int PAGE_SPREAD = 1;

    /** The second long of a frame in use is its identity, that of a free one its link. */
    private static final int IDENTITY = 1;

    private static final int LINK = 1;
    /**
     * The third long of a page's frame says which buffer holds the page, see {@link BufferWord}; the fourth is its
     * latch.
     */
    static final int BUFFER = 2;

    static final int LATCH = 3;
    /** Longs of a row that are used. */
    static final int ROW = 4;

    /**
     * Longs in front of the first row: with the header of the array they fill a cache line, where the array begins with
     * one, as large ones do; so a row of four longs does not lie in two lines.
     */
    private static final int ORIGIN = 6;

    static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /** The rows of the frames that the pool began with, a power of two. */
    private final long[] first;

    private final int firstMask;
    final boolean pages;
    private final int rowShift;
    private final int spread;
    private final int addedBits;

    /** The rows of later frames. Grows by copying; a frame that another thread hands over is within what it can see. */
    private volatile long[][] added = new long[0][];

    /**
     * Creates rows for frames 0 to {@code frames − 1}; every new frame is free.
     *
     * @param frames the number of frames
     * @param pages whether the frames hold pages, and so have a buffer and a latch
     */
    FrameRows(int frames, boolean pages) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, frames) - 1);
        this.rowShift = frames <= PADDED_FRAMES ? PADDED_ROW_SHIFT : pages ? PAGE_ROW_SHIFT : HOLDER_ROW_SHIFT;
        this.spread = pages ? PAGE_SPREAD : HOLDER_SPREAD;
        int firstBits = Math.max(LEAST_ROWS_BITS, bits);
        this.firstMask = (1 << firstBits) - 1;
        this.pages = pages;
        this.first = freeRows(firstBits);
        this.addedBits = Math.min(MOST_ADDED_BITS, firstBits);
    }

    private long[] freeRows(int bits) {
        long[] rows = new long[ORIGIN + (1 << bits << rowShift)];
        for (int at = ORIGIN; at < rows.length; at += 1 << rowShift) {
            rows[at] = CLAIMED | FREE;
            if (pages) {
                rows[at + LATCH] = LatchWord.CLOSED;
            }
        }
        return rows;
    }

    /**
     * Adds rows until there are at least {@code frames}; a new frame is claimed and free.
     *
     * @param frames the number of frames that must exist
     */
    public final synchronized void ensureFrames(int frames) {
        int have = added.length;
        int need = (frames - first() + (1 << addedBits) - 1) >> addedBits;
        if (need <= have) {
            return;
        }
        long[][] grown = Arrays.copyOf(added, need);
        for (int i = have; i < need; i++) {
            grown[i] = freeRows(addedBits);
        }
        added = grown;
    }

    private int first() {
        return firstMask + 1;
    }

    /**
     * Reads the identity of the content. It is the identity of the frame's content only to a thread that has pinned the
     * frame and found the content ready, or has a share in its latch; to others it is a hint, and of a free frame it is
     * nothing. Opaque, since the CAS on the state or the latch orders it.
     *
     * @param frame any frame
     * @return the identity
     */
    public final long identity(int frame) {
        return identity(words(frame), at(frame));
    }

    static long identity(long[] words, int at) {
        return (long) WORD.getOpaque(words, at + IDENTITY);
    }

    /**
     * Sets the identity of the content that the frame will hold.
     *
     * @param frame a frame that the caller has claimed, before it is {@linkplain FrameStates#publishPinned published}
     * @param identity the identity
     */
    public final void setIdentity(int frame, long identity) {
        WORD.setRelease(
                words(frame), at(frame) + IDENTITY, identity); // a walk that reads it has passed what went before
    }

    /** The link word of a free frame, for {@link FreeFrames}; opaque, since the stack's tagged head validates it. */
    final int link(int frame) {
        return (int) (long) WORD.getOpaque(words(frame), at(frame) + LINK);
    }

    final void setLink(int frame, int next) {
        WORD.setOpaque(words(frame), at(frame) + LINK, (long) next);
    }

    /**
     * Reads which buffer holds the page of a frame, with acquire order: a thread that sees a {@linkplain BufferWord
     * loaded} buffer sees the bytes that were read into it.
     *
     * @param frame any frame of a page pool
     * @return a {@link BufferWord}
     */
    public final long buffer(int frame) {
        return (long) WORD.getAcquire(words(frame), at(frame) + BUFFER);
    }

    /**
     * Sets the buffer of a frame, with release order.
     *
     * @param frame a frame that the caller has claimed
     * @param word a {@link BufferWord}
     */
    public final void setBuffer(int frame, long word) {
        WORD.setRelease(words(frame), at(frame) + BUFFER, word);
    }

    /**
     * Marks the buffer of a frame as {@linkplain BufferWord reserved}.
     *
     * @param frame a frame that the caller has claimed, and that has a buffer
     * @return the buffer
     */
    public final int reserveBuffer(int frame) {
        long[] words = words(frame);
        int at = at(frame) + BUFFER;
        int buffer = BufferWord.buffer((long) WORD.getAcquire(words, at));
        WORD.setRelease(words, at, BufferWord.reserved(buffer));
        return buffer;
    }

    /**
     * Changes the buffer of a frame by CAS.
     *
     * @param frame a frame that the caller has pinned
     * @param expected the {@link BufferWord} that the caller has seen
     * @param word the new one
     * @return whether the frame has it now
     */
    public final boolean casBuffer(int frame, long expected, long word) {
        return WORD.compareAndSet(words(frame), at(frame) + BUFFER, expected, word);
    }

    /** {@return whether a reader has a share in the latch: a hint, which {@link #tryCloseLatch} confirms} */
    final boolean isShared(long[] words, int at) {
        return pages && LatchWord.sharers((long) WORD.getOpaque(words, at + LATCH)) != 0;
    }

    /**
     * {@return the number of shares in the latch of a frame at the moment; 0 if it holds no page}
     *
     * @param frame any frame
     */
    public final int sharers(int frame) {
        return pages ? LatchWord.sharers(latch(frame)) : 0;
    }

    /**
     * {@return whether a thread holds the latch of a frame at the moment, in any mode; false if it holds no page}
     *
     * @param frame any frame
     */
    public final boolean isLatched(int frame) {
        return pages && LatchWord.isHeld(latch(frame));
    }

    /**
     * Closes the latch of a claimed frame, if no thread holds it: no reader comes in, and no optimistic read that has
     * begun validates. So the owner may write to the buffer afterwards. Clears the mark of the waiters, since a waiter
     * has a pin.
     *
     * @return false, with nothing changed, if the page is latched; always true for frames without a latch
     */
    final boolean tryCloseLatch(int frame) {
        return !pages || tryCloseLatch(words(frame), at(frame));
    }

    /** As {@link #tryCloseLatch(int)}, for the row of a page that the caller has located. */
    static boolean tryCloseLatch(long[] words, int at) {
        for (; ; ) {
            long word = (long) WORD.getAcquire(words, at + LATCH);
            if (LatchWord.isHeld(word)) {
                return false;
            }
            if (WORD.compareAndSet(words, at + LATCH, word, LatchWord.closed(word))) {
                VarHandle.storeStoreFence(); // the version comes before the words and bytes of the next page
                return true;
            }
        }
    }

    /**
     * Opens a closed latch, with shares for the caller. A release store is enough: a closed latch has no other writer,
     * since a thread needs a pin on a published page to change it.
     */
    final void openLatch(int frame, int shares) {
        if (pages) {
            openLatch(words(frame), at(frame), shares);
        }
    }

    /** As {@link #openLatch(int, int)}, for the row of a page that the caller has located. */
    static void openLatch(long[] words, int at, int shares) {
        long word = (long) WORD.getAcquire(words, at + LATCH);
        WORD.setRelease(words, at + LATCH, LatchWord.version(word) << LatchWord.VERSION_SHIFT | shares);
    }

    final long latch(int frame) {
        return (long) WORD.getAcquire(words(frame), at(frame) + LATCH);
    }

    final boolean casLatch(int frame, long expected, long word) {
        return WORD.compareAndSet(words(frame), at(frame) + LATCH, expected, word);
    }

    final long addToLatch(int frame, long delta) {
        return (long) WORD.getAndAdd(words(frame), at(frame) + LATCH, delta);
    }

    final boolean cas(int frame, long expected, long next) {
        return WORD.compareAndSet(words(frame), at(frame), expected, next);
    }

    final long[] words(int frame) {
        return frame <= firstMask ? first : added[(frame - first()) >> addedBits];
    }

    /** {@return the rows of the frames that the pool began with: all of a page pool} */
    final long[] firstRows() {
        return first;
    }

    final int rowShift() {
        return rowShift;
    }

    /** {@return where the row of a page's frame lies} */
    static int pageRow(int frame, int rowShift) {
        return ORIGIN + (frame << rowShift);
    }

    /** {@return the frame of a page whose row this is} */
    static int pageFrame(int at, int rowShift) {
        return (at - ORIGIN) >> rowShift;
    }

    final int at(int frame) {
        return frame <= firstMask
                ? ORIGIN + ((frame * spread & firstMask) << rowShift)
                : ORIGIN + (((frame - first()) * spread & ((1 << addedBits) - 1)) << rowShift);
    }
}
