// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Dirty frames that were offered as victims and wait for the cleaner, the oldest first.
 *
 * <p>The <i>queued</i> mark in the frame's state keeps a frame from being offered as a victim again. The mark goes when
 * the content has been written or the frame is claimed for another reason, so a frame that comes out of the queue
 * without the mark needs no work. A frame is added after its state has changed, so {@link #add} allocates nothing and
 * cannot throw.
 *
 * <p><b>The ring.</b> A bounded queue after D. Vyukov: {@code head} and {@code tail} count the frames taken and added;
 * each cell holds a frame in its low half and, in its high half, the position at which the cell can be used next: that
 * of the adder if it is empty, that of the adder + 1 if it is full. An adder claims a position by CAS of {@code tail},
 * then stores the cell with release order; a taker reads the cell with acquire order, claims it by CAS of {@code head},
 * then stores the position of the next round. It is not lock-free: a thread that stalls between its CAS and its store
 * hides the frames that were added after its own, until it goes on. Positions in cells wrap after 2³² frames within one
 * stall.
 *
 * <p><b>Once per frame.</b> {@code listed} says whether a frame is in the ring. {@link #add} is called after a CAS has
 * changed the frame's state, and tests {@code listed} by another CAS. {@link #poll} clears {@code listed}, then fences,
 * because its caller reads the state by an acquire load, which may pass an earlier store. So either the taker sees the
 * new state, or the adder adds the frame again. The ring has a cell for each frame up to the soft maximum, which
 * therefore always fit; a frame past that maximum may be in it twice, and finds it full when all the others are in it.
 *
 * <p>Thread-safe.
 */
public final class WriteBackQueue {
    /** Returned by {@link #poll} when the queue is empty. */
    public static final int NONE = -1;

    private static final int LEAST_CELLS = 64;
    private static final int SHORTEST_BOUND = 8;
    private static final int SHARE_OF_FRAMES = 10;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle LISTED = MethodHandles.arrayElementVarHandle(byte[].class);

    private final long[] cells;
    private final byte[] listed;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();
    private final int bound;
    private volatile Runnable cleaner;

    /**
     * Creates an empty queue.
     *
     * @param softFrames the soft maximum of frames
     */
    public WriteBackQueue(int softFrames) {
        int cellsNeeded = Math.max(LEAST_CELLS, softFrames);
        this.cells = new long[Integer.highestOneBit(cellsNeeded - 1) << 1];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = (long) i << Integer.SIZE;
        }
        this.listed = new byte[softFrames];
        this.bound = Math.max(SHORTEST_BOUND, softFrames / SHARE_OF_FRAMES);
        VarHandle.releaseFence();
    }

    /**
     * Sets the cleaner.
     *
     * @param nudged called when a frame was added; null if there is no cleaner any more
     */
    public void use(Runnable nudged) {
        cleaner = nudged;
    }

    /** {@return whether a cleaner works the queue off; if not, misses write dirty victims back themselves} */
    public boolean hasCleaner() {
        return cleaner != null;
    }

    /** Notifies the cleaner, if there is one. Calls code of the host, so nothing may be left to do or undo after it. */
    public void nudge() {
        Runnable nudged = cleaner;
        if (nudged != null) {
            nudged.run();
        }
    }

    /**
     * Adds a frame unless it is in the queue.
     *
     * @param frame a frame that was marked as queued
     * @return whether it is in the queue now; false if there is no cell for it
     */
    public boolean add(int frame) {
        if (frame < listed.length && !LISTED.compareAndSet(listed, frame, (byte) 0, (byte) 1)) {
            return true;
        }
        for (; ; ) {
            long position = tail.get();
            int at = (int) position & (cells.length - 1);
            int turn = (int) ((long) CELL.getAcquire(cells, at) >>> Integer.SIZE);
            int ahead = turn - (int) position;
            if (ahead == 0) {
                if (tail.compareAndSet(position, position + 1)) {
                    CELL.setRelease(cells, at, cell(position + 1, frame));
                    return true;
                }
            } else if (ahead < 0) {
                if (frame < listed.length) {
                    LISTED.setVolatile(listed, frame, (byte) 0);
                }
                return false;
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

    /** {@return whether a tenth of the frames are in the queue: they are no victims, but take up memory} */
    public boolean isLong() {
        return length() >= bound;
    }

    /** {@return whether the queue is empty} */
    public boolean isEmpty() {
        return length() == 0;
    }

    /** {@return the number of frames in the queue; approximate while other threads add or take frames} */
    public int length() {
        long taken = head.get(); // first: it never passes the tail
        return (int) (tail.get() - taken);
    }
}
