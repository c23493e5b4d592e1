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
 * <p>An entry is a hint. It names a frame and, in {@code generations}, the content that was written; a frame that holds
 * another one by now, was used meanwhile, or is dirty again is passed over. {@code generations} is written by the
 * thread that has written the page, with opaque order, before it adds the frame to the ring; a thread that takes the
 * frame out of the ring reads it afterwards. If the frame is in the ring already, its entry stands for the newer
 * content.
 *
 * <p>Thread-safe. Nothing here allocates, waits or throws.
 */
final class CleanedFrames {
    static final int NONE = FrameRing.NONE;

    private static final VarHandle GENERATION = MethodHandles.arrayElementVarHandle(int[].class);

    private final FrameStates states;
    private final FrameRing ring;
    private final int[] generations;

    CleanedFrames(FrameStates states, int frames) {
        this.states = states;
        this.ring = new FrameRing(frames);
        this.generations = new int[frames];
    }

    /** The page in a frame, which a search had met dirty, was written. */
    void add(int frame) {
        long state = states.state(frame);
        if (isCold(state)) {
            GENERATION.setOpaque(generations, frame, FrameState.generation(state));
            ring.add(frame);
        }
    }

    /** {@return a frame that was unused since its page was written, as far as one can see; or {@link #NONE}} */
    int poll() {
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

    /** {@return whether the next sweep would claim the frame once nobody has it pinned} */
    private static boolean isCold(long state) {
        return FrameState.weight(state) <= 1 && !FrameState.isDirty(state) && !FrameState.isQueued(state);
    }
}
