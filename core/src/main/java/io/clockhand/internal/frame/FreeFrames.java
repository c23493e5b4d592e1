// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

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

    /** {@return the number of frames that were ever taken} */
    public int used() {
        return numbers.used();
    }

    /** {@return the number of free frames, while no other thread takes or returns any} */
    public int size() {
        return numbers.size();
    }
}
