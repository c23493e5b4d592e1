// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameRing;
import io.clockhand.internal.frame.FrameState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/**
 * Dirty frames that were offered as victims and wait for the cleaner, the oldest first.
 *
 * <p>The <i>queued</i> mark in the frame's state keeps a frame from being offered as a victim again. The mark goes when
 * the content has been written or the frame is claimed for another reason, so a frame that comes out of the queue
 * without the mark needs no work. A frame is added after its state has changed, so {@link #add} allocates nothing and
 * cannot throw.
 *
 * <p>The frames lie in a {@link FrameRing}. A frame that finds it full keeps its mark; otherwise the search that has
 * declined the frame would be offered it again and again. The adder then sets {@code overflowed}. A thread that finds
 * the ring empty clears that flag, fences, then adds all marked frames, so no marked frame is forgotten.
 *
 * <p>Thread-safe.
 */
public final class WriteBackQueue {
    /** Returned by {@link #poll} when the queue is empty. */
    public static final int NONE = FrameRing.NONE;

    private static final int SHORTEST_BOUND = 8;
    private static final int SHARE_OF_FRAMES = 10;
    private static final VarHandle WEIGHT = MethodHandles.arrayElementVarHandle(byte[].class);

    private final FrameRing frames;
    private final IntSupplier count;
    private final IntSupplier capacity;
    private final IntPredicate isMarked;
    private final IntUnaryOperator weight;
    /** By frame, up to the greatest byte. Written with opaque order before the frame is added, and read after. */
    private final byte[] weights;

    private final Runnable onCleaner;
    private volatile Runnable cleaner;
    /** Whether a marked frame has found no cell. Set after the mark; cleared before the marks are read. */
    private volatile boolean overflowed;

    /**
     * Creates an empty queue.
     *
     * @param pool has the frames
     */
    public WriteBackQueue(FramePool pool) {
        this(
                pool.frames(),
                pool::frames,
                pool::capacity,
                frame -> FrameState.isQueued(pool.state(frame)),
                frame -> FrameState.weight(pool.state(frame)),
                pool.line()::sweep); // a waiting miss may have to write a victim back itself
    }

    /**
     * Creates an empty queue.
     *
     * @param softFrames the soft maximum of frames
     * @param count the number of frames that have words now
     * @param capacity the number of frames that are used now
     * @param isMarked whether a frame has the mark
     * @param weight the weight of the page in a frame
     * @param onCleaner called when there is another cleaner, or none any more
     */
    WriteBackQueue(
            int softFrames,
            IntSupplier count,
            IntSupplier capacity,
            IntPredicate isMarked,
            IntUnaryOperator weight,
            Runnable onCleaner) {
        this.frames = new FrameRing(softFrames);
        this.capacity = capacity;
        this.weight = weight;
        this.weights = new byte[softFrames];
        this.count = count;
        this.isMarked = isMarked;
        this.onCleaner = onCleaner;
    }

    /**
     * Leaves dirty victims to a cleaner from now on, or to misses again.
     *
     * @param nudged called when a frame was added; null if there is no cleaner any more
     */
    public void use(Runnable nudged) {
        cleaner = nudged;
        onCleaner.run();
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
     * @return whether it is in the queue now; false if there is no cell for it, so that {@link #poll} adds it
     *     again
     */
    public boolean add(int frame) {
        if (frame < weights.length) { // a cache of objects may have grown
            WEIGHT.setOpaque(weights, frame, weightOf(frame));
        }
        if (frames.add(frame) != FrameRing.Added.FULL) {
            return true;
        }
        overflowed = true;
        return false;
    }

    /** {@return the frame that was added first, or {@link #NONE}; its state may have changed since} */
    public int poll() {
        int frame = frames.poll();
        if (frame == NONE && overflowed) {
            overflowed = false;
            VarHandle.fullFence(); // the marks are read by acquire loads, which may pass an earlier store
            addMarked();
            nudge(); // this thread may take only one of them
            frame = frames.poll();
        }
        return frame;
    }

    /**
     * {@return whether the page in a frame of a page pool was used since the frame was added, so that it is no victim}
     * By its weight, so only under policies that keep some: a search finds pages with the last weight, or takes them
     * whatever their weight.
     */
    public boolean wasUsedSinceAdded(int frame) {
        return weightOf(frame) > Math.max(1, (byte) WEIGHT.getOpaque(weights, frame));
    }

    /** {@return the weight of a frame; if it is greater, the greatest that the queue keeps} */
    private byte weightOf(int frame) {
        return (byte) Math.min(Byte.MAX_VALUE, weight.applyAsInt(frame));
    }

    private void addMarked() {
        for (int frame = 0, end = count.getAsInt(); frame < end; frame++) {
            if (isMarked.test(frame) && !add(frame)) {
                return;
            }
        }
    }

    /** {@return whether a tenth of the frames, or 8 of a few, are in the queue: they are no victims} */
    public boolean isLong() {
        return length() >= Math.max(SHORTEST_BOUND, capacity.getAsInt() / SHARE_OF_FRAMES);
    }

    /** {@return whether no frame waits for the cleaner} */
    public boolean isEmpty() {
        return length() == 0 && !overflowed;
    }

    /** {@return whether a marked frame has found no cell; it is added when the queue has become empty} */
    public boolean hasOverflowed() {
        return overflowed;
    }

    /** {@return the number of frames in the queue; approximate while other threads add or take frames} */
    public int length() {
        return frames.length();
    }
}
