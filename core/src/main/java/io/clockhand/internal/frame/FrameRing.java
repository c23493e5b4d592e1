// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bounded queue of frames, the oldest first. {@link #add} is called after the state of a frame has changed, so it
 * allocates nothing and cannot throw.
 *
 * <p><b>The ring.</b> A bounded queue after D. Vyukov: {@code head} and {@code tail} count the frames taken and added;
 * each cell holds a frame in its low half and, in its high half, the position at which the cell can be used next: that
 * of the adder if it is empty, that of the adder + 1 if it is full. An adder claims a position by CAS of {@code tail},
 * then stores the cell with release order; a taker reads the cell with acquire order, claims it by CAS of {@code
 * head}, then stores the position of the next round. It is not lock-free: a thread that stalls between its CAS and its
 * store hides the frames that were added after its own, until it goes on; while a taker stalls there, the ring also
 * seems full to the adder that reaches its cell again. Positions in cells wrap after 2³² frames within one stall.
 *
 * <p><b>Once per frame.</b> {@code listed} says whether a frame is in the ring. {@link #add} is called after a CAS has
 * changed the frame's state, and tests {@code listed} by another CAS. {@link #poll} clears {@code listed}, then fences,
 * because its caller reads the state by an acquire load, which may pass an earlier store. So either the taker sees the
 * new state, or the adder adds the frame again. The ring has a cell for each frame up to the soft maximum, which
 * therefore fit unless a taker stalls; a frame past that maximum may be in it twice, and finds it full when all the
 * others are in it. So every caller of {@link #add} has an answer to {@link Added#FULL}.
 *
 * <p>Thread-safe.
 */
public final class FrameRing {
    /** Returned by {@link #poll} when the ring is empty. */
    public static final int NONE = -1;

    private static final int LEAST_CELLS = 64;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle LISTED = MethodHandles.arrayElementVarHandle(byte[].class);

    private final long[] cells;
    private final byte[] listed;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    /** The outcome of {@link #add}. */
    public enum Added {
        /** It has added the frame. */
        NOW,
        /** The frame was in the ring. */
        BEFORE,
        /** There is no cell for the frame: all are taken, or a taker has not yet left the one that is next. */
        FULL
    }

    /**
     * Creates an empty ring.
     *
     * @param softFrames the soft maximum of frames
     */
    public FrameRing(int softFrames) {
        int cellsNeeded = Math.max(LEAST_CELLS, softFrames);
        this.cells = new long[Integer.highestOneBit(cellsNeeded - 1) << 1];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = (long) i << Integer.SIZE;
        }
        this.listed = new byte[softFrames];
        VarHandle.releaseFence();
    }

    /**
     * Adds a frame unless it is in the ring.
     *
     * @param frame a frame
     * @return the outcome
     */
    public Added add(int frame) {
        if (frame < listed.length && !LISTED.compareAndSet(listed, frame, (byte) 0, (byte) 1)) {
            return Added.BEFORE;
        }
        for (; ; ) {
            long position = tail.get();
            int at = (int) position & (cells.length - 1);
            int turn = (int) ((long) CELL.getAcquire(cells, at) >>> Integer.SIZE);
            int ahead = turn - (int) position;
            if (ahead == 0) {
                if (tail.compareAndSet(position, position + 1)) {
                    CELL.setRelease(cells, at, cell(position + 1, frame));
                    return Added.NOW;
                }
            } else if (ahead < 0) {
                if (frame < listed.length) {
                    LISTED.compareAndSet(listed, frame, (byte) 1, (byte) 0); // the JVM has linked this call
                }
                return Added.FULL;
            }
        }
    }

    /** {@return the frame that was added first, or {@link #NONE}; its state may have changed since} */
    public int poll() {
        for (; ; ) {
            long position = head.get();
            int at = (int) position & (cells.length - 1);
            long cell = (long) CELL.getAcquire(cells, at);
            int ahead = (int) (cell >>> Integer.SIZE) - (int) (position + 1);
            if (ahead == 0) {
                if (head.compareAndSet(position, position + 1)) {
                    CELL.setRelease(cells, at, cell(position + cells.length, 0));
                    int frame = (int) cell;
                    if (frame < listed.length) {
                        LISTED.setRelease(listed, frame, (byte) 0);
                        VarHandle.fullFence();
                    }
                    return frame;
                }
            } else if (ahead < 0) {
                return NONE;
            }
        }
    }

    private static long cell(long position, int frame) {
        return position << Integer.SIZE | frame;
    }

    /** {@return the number of frames in the ring; approximate while other threads add or take frames} */
    public int length() {
        long taken = head.get(); // first: it never passes the tail
        return (int) (tail.get() - taken);
    }
}
