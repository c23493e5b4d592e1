// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.function.IntConsumer;

/**
 * The free frames.
 *
 * <p>A frame in here is claimed and {@linkplain FrameState#isFree free} in {@link FrameStates}; {@link #poll} clears
 * the mark. The link of a free frame lies where a frame in use has its identity, so a late pop may read one for
 * the other; {@link FreeNumbers} discards it. Thread-safe and lock-free.
 */
public final class FreeFrames {
    /** Returned by {@link #poll} when no frame is free. */
    public static final int NONE = FreeNumbers.NONE;

    private final FrameStates states;
    private final FreeNumbers numbers;

    /**
     * Starts with frames 0 to {@code frames − 1} free.
     *
     * @param states the words of the frames
     * @param frames the number of frames
     */
    public FreeFrames(FrameStates states, int frames) {
        this(states, frames, frames);
    }

    /**
     * Starts with frames 0 to {@code limit − 1} free; further ones are {@linkplain #isRetired retired}.
     *
     * @param states the words of the frames
     * @param limit the number of frames that are given out
     * @param frames the number of frames to which the limit can be raised
     */
    public FreeFrames(FrameStates states, int limit, int frames) {
        this.states = states;
        this.numbers = new FreeNumbers(
                new FreeNumbers.Links() {
                    @Override
                    public int link(int frame) {
                        return states.link(frame);
                    }

                    @Override
                    public void setLink(int frame, int next) {
                        states.setLink(frame, next);
                    }
                },
                limit,
                frames);
    }

    /**
     * Takes a free frame; it is then claimed by the caller.
     *
     * @return a frame, or {@link #NONE}
     */
    public int poll() {
        int frame = numbers.poll();
        if (frame != NONE && !states.tryTakeFree(frame)) {
            throw new IllegalStateException(
                    "frame " + frame + " was listed as free: " + FrameState.toString(states.state(frame)));
        }
        return frame;
    }

    /**
     * Returns a frame.
     *
     * @param frame a frame that the caller has {@linkplain FrameStates#free freed}
     */
    public void offer(int frame) {
        numbers.offer(frame);
    }

    /** {@return the number of frames that are given out} */
    public int limit() {
        return numbers.limit();
    }

    /**
     * Changes the limit. Frames that were retired and lie below it are free again. Called by one thread at a time.
     *
     * @param limit 0 to the number of frames
     */
    public void setLimit(int limit) {
        numbers.setLimit(limit);
    }

    /**
     * {@return whether a frame is free, and not given out while the limit stays}
     *
     * @param frame any frame
     */
    public boolean isRetired(int frame) {
        return numbers.isRetired(frame);
    }

    /**
     * Retires the free frames past the limit. Other threads may find no free frame meanwhile.
     *
     * @param kept is called with each free frame below the limit, which the caller owns meanwhile
     */
    public void drain(IntConsumer kept) {
        numbers.drain(kept);
    }

    /** {@return the number of frames that were ever taken} */
    public int used() {
        return numbers.used();
    }

    /** {@return the number of free frames, while no other thread takes or returns any} */
    public int size() {
        return numbers.size();
    }
}
