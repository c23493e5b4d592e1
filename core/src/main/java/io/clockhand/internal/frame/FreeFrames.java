// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The frames that hold nothing: those never used yet, in order, and a lock-free stack of those given back.
 *
 * <p>The stack is Treiber's [1], over frame numbers: {@code head} holds the top frame + 1 in its low half and a tag in
 * its high half that every change raises, so that a head that was popped and pushed again in between is not taken for
 * the same (ABA). A frame's link is written before the CAS that publishes it as top and read before the CAS that takes
 * it; a stale link, which may be the identity of a frame in use cut to an int, is discarded with the failed CAS. The tag wraps after 2³² changes within one stalled pop.
 *
 * <p>A frame in here is claimed and {@linkplain FrameState#isFree free} in {@link FrameStates}; {@link #poll} clears
 * the mark. Thread-safe and lock-free.
 *
 * <p>[1] R. K. Treiber, Systems Programming: Coping with Parallelism, IBM RJ 5118, 1986.
 */
public final class FreeFrames {
    /** What {@link #poll} returns when no frame is free. */
    public static final int NONE = -1;

    private static final long TOP = 0xFFFF_FFFFL;
    private static final long TAG_ONE = 1L << 32;

    private final FrameStates states;
    private final int frames;
    private final AtomicInteger unused = new AtomicInteger();
    private final AtomicLong head = new AtomicLong();

    /**
     * Starts with frames 0 to {@code frames − 1} free.
     *
     * @param states the words of the frames
     * @param frames how many frames there are
     */
    public FreeFrames(FrameStates states, int frames) {
        this.states = states;
        this.frames = frames;
    }

    /**
     * Takes a free frame; it is then claimed by the caller.
     *
     * @return a frame, or {@link #NONE}
     */
    public int poll() {
        int frame = pop();
        if (frame == NONE) {
            frame = nextUnused();
        }
        if (frame != NONE && !states.tryTakeFree(frame)) {
            throw new IllegalStateException(
                    "frame " + frame + " was listed as free: " + FrameState.toString(states.state(frame)));
        }
        return frame;
    }

    /**
     * Gives a frame back.
     *
     * @param frame a frame that the caller has {@linkplain FrameStates#free freed}
     */
    public void offer(int frame) {
        for (; ; ) {
            long h = head.get();
            states.setLink(frame, (int) (h & TOP) - 1);
            if (head.compareAndSet(h, ((h & ~TOP) + TAG_ONE) | (frame + 1L))) {
                return;
            }
        }
    }

    /** {@return how many frames were ever taken from here} */
    public int used() {
        return Math.min(unused.get(), frames);
    }

    /** {@return how many frames are free, while no other thread takes or gives any} */
    public int size() {
        int size = frames - used();
        for (int frame = (int) (head.get() & TOP) - 1; frame != NONE; frame = states.link(frame)) {
            size++;
        }
        return size;
    }

    private int pop() {
        for (; ; ) {
            long h = head.get();
            int top = (int) (h & TOP) - 1;
            if (top == NONE) {
                return NONE;
            }
            int next = states.link(top);
            if (head.compareAndSet(h, ((h & ~TOP) + TAG_ONE) | (next + 1L))) {
                return top;
            }
        }
    }

    private int nextUnused() {
        for (; ; ) {
            int frame = unused.get();
            if (frame >= frames) {
                return NONE;
            }
            if (unused.compareAndSet(frame, frame + 1)) {
                return frame;
            }
        }
    }
}
