// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * The frames past the soft maximum. They are added in chunks when every frame is in use, and go away chunk by chunk
 * when all frames of the last one are free again.
 *
 * <p>A growth frame is never in the list of free frames: when it becomes free it just has the mark in its state, and is
 * taken again only when the pool must grow. So every growth frame that is emptied brings the pool nearer to its soft
 * maximum.
 *
 * <p>{@code frames} is written under the lock and read by anybody (volatile); headers of frames that went away stay, so
 * a reader with the old count finds them free. The lock is held for short times only, never around a call of the host;
 * a policy's own lock may be taken inside it.
 */
final class GrowthFrames {
    static final int CHUNK = 32;

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger inUse = new AtomicInteger();
    private final FrameStates states;
    private final int soft;
    private final int hard;
    private final IntConsumer onFrames;

    private volatile int frames;
    private volatile int peak;
    /** Set by the thread that has freed a frame; cleared under the lock before the frames are scanned. */
    private volatile boolean freed;
    /**
     * No frame past the soft maximum and before this one is free: a frame in the low half and, in the high half, the
     * number of times that a thread that freed a frame has lowered it, after the state of its frame was changed. So a
     * thread that takes a frame does not raise it past one that was freed behind its scan.
     */
    private final AtomicLong leastFree = new AtomicLong();

    GrowthFrames(FrameStates states, int soft, int hard, IntConsumer onFrames) {
        this.states = states;
        this.soft = soft;
        this.hard = hard;
        this.onFrames = onFrames;
        this.frames = soft;
    }

    int frames() {
        return frames;
    }

    boolean isGrown() {
        return frames > soft;
    }

    boolean isGrowth(int frame) {
        return frame >= soft;
    }

    /** {@return the most growth frames that were in use at a time} */
    int peak() {
        return peak;
    }

    /** {@return a free growth frame, claimed by the caller, or −1 at the hard maximum} */
    int take() {
        int frame = -1;
        try {
            frame = takeOrGrow();
        } finally {
            shrinkAfterTake(frame);
        }
        return frame;
    }

    private int takeOrGrow() {
        lock.lock();
        try {
            int frame = takeFree();
            if (frame < 0 && frames < hard) {
                int grown = (int) Math.min(hard, (long) frames + CHUNK);
                states.ensureFrames(grown);
                onFrames.accept(grown);
                frames = grown;
                frame = takeFree();
            }
            if (frame >= 0) {
                peak = Math.max(peak, inUse.incrementAndGet());
            }
            return frame;
        } finally {
            lock.unlock();
        }
    }

    /** If the policy throws, the frame that was taken is free again. */
    private void shrinkAfterTake(int taken) {
        try {
            shrinkIfFreed();
        } catch (Throwable failure) {
            if (taken >= 0) {
                inUse.decrementAndGet();
                states.waiters().wake(taken, states.free(taken));
                lowerLeastFree(taken);
                states.line().offer(taken);
            }
            throw failure;
        }
    }

    /** A growth frame was emptied and freed: drops the last chunks if they are all free. */
    void onFreed(int frame) {
        inUse.decrementAndGet();
        lowerLeastFree(frame);
        freed = true;
        shrinkIfFreed();
    }

    /**
     * The owner of the lock checks again after it has released it, so a frame that is freed meanwhile is not forgotten.
     */
    private void shrinkIfFreed() {
        while (freed && lock.tryLock()) {
            try {
                freed = false;
                shrink();
            } finally {
                lock.unlock();
            }
        }
    }

    /** {@return the number of frames past the soft maximum that are in use, as far as they lie before a free one} */
    int inUse() {
        return Math.max(0, (int) leastFree.get() - soft);
    }

    /** The first that is free, so that the last chunks become free. */
    private int takeFree() {
        long seen = leastFree.get();
        int count = frames;
        for (int frame = Math.max(soft, (int) seen); frame < count; frame++) {
            if (states.tryTakeFree(frame)) {
                leastFree.compareAndSet(seen, withFrame(seen, frame + 1));
                return frame;
            }
        }
        leastFree.compareAndSet(seen, withFrame(seen, count));
        return -1;
    }

    private void lowerLeastFree(int frame) {
        for (; ; ) { // no lambda: it would be allocated after the state of the frame was changed
            long seen = leastFree.get();
            if (leastFree.compareAndSet(seen, withFrame(seen + (1L << Integer.SIZE), Math.min((int) seen, frame)))) {
                return;
            }
        }
    }

    private static long withFrame(long leastFree, int frame) {
        return (leastFree & (-1L << Integer.SIZE)) | frame;
    }

    private void shrink() {
        int count = frames;
        while (count > soft) {
            int start = Math.max(soft, soft + (count - soft - 1) / CHUNK * CHUNK);
            if (!allFree(start, count)) {
                break;
            }
            count = start;
        }
        if (count < frames) {
            frames = count;
            lowerLeastFree(count); // frames from here on are free when they come back
            onFrames.accept(count);
        }
    }

    private boolean allFree(int from, int to) {
        for (int frame = from; frame < to; frame++) {
            if (!FrameState.isFree(states.state(frame))) {
                return false;
            }
        }
        return true;
    }
}
