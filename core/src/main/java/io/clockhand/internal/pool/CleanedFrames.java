// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameRing;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Frames whose pages a search has met dirty, and that have been written since: the next victims, in that order. A clock
 * would come back to them only after a revolution. By then many would be dirty again, and written twice.
 *
 * <p>An entry is a hint. It names a frame and, in {@code generations}, the content that was written. A frame that holds
 * another one by now, has more than the last weight, or is dirty (again, or since the write has failed) is passed over.
 * {@code generations} is written by the thread that has written the page, with opaque order, before it adds the frame
 * to the ring; a thread that takes the frame out of the ring reads it afterwards. If the frame is in the ring already,
 * its entry stands for the newer content.
 *
 * <p>Thread-safe. Nothing here allocates, waits or throws.
 */
public final class CleanedFrames {
    /** Returned by {@link #poll} when there is none. */
    public static final int NONE = FrameRing.NONE;

    private static final VarHandle GENERATION = MethodHandles.arrayElementVarHandle(int[].class);

    private final FrameStates states;
    private final FrameRing ring;
    private final int[] generations;

    /**
     * Begins without frames.
     *
     * @param states their words
     * @param frames the number of frames of the pool
     */
    public CleanedFrames(FrameStates states, int frames) {
        this.states = states;
        this.ring = new FrameRing(frames);
        this.generations = new int[frames];
        GENERATION.setOpaque(generations, 0, (int) GENERATION.getOpaque(generations, 0)); // links both calls
    }

    /**
     * The write of a page that a search had met dirty has ended.
     *
     * @param frame its frame
     * @param generation of the frame when it ended: the page may have left it since
     */
    public void add(int frame, int generation) {
        GENERATION.setOpaque(generations, frame, generation);
        ring.add(frame);
    }

    /** {@return a frame that the next sweep would claim, as far as one can see; or {@link #NONE}} */
    public int poll() {
        if (ring.length() == 0) {
            return NONE;
        }
        for (int frame = ring.poll(); frame != NONE; frame = ring.poll()) {
            long state = states.state(frame);
            if (isCold(state) && FrameState.generation(state) == (int) GENERATION.getOpaque(generations, frame)) {
                return frame;
            }
        }
        return NONE;
    }

    /** {@return whether a sweep would claim the frame when nobody has it pinned} */
    private static boolean isCold(long state) {
        return FrameState.weight(state) <= 1 && !FrameState.isDirty(state) && !FrameState.isQueued(state);
    }
}
