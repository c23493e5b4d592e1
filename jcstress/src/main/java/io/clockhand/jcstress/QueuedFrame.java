// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;

/**
 * A frame that was left in the write-back queue when its mark was cleared. A miss declines it as a dirty victim, while
 * the cleaner takes it out of the queue.
 */
abstract class QueuedFrame {
    static final int FRAME = 0;

    final FrameStates states = new FrameStates(1);

    /** Binds the frame, and puts it into the queue without the mark. */
    final void fill() {
        states.tryTakeFree(FRAME);
        states.publishPinned(FRAME, 0);
        states.ready(FRAME);
        states.unpin(FRAME);
        add();
    }

    /** Adds the frame unless it is in the queue. */
    abstract void add();

    /** Takes the frame out of the queue; {@return whether it was there} */
    abstract boolean poll();

    /** Takes the frame out of the queue; {@return whether it is marked} */
    boolean pollMarked() {
        return poll() && FrameState.isQueued(states.state(FRAME));
    }

    /** Claims the frame as a victim, finds it dirty, and leaves it to the cleaner. */
    final void decline() {
        if (states.tryClaim(FRAME)) {
            leaveToCleaner();
        }
    }

    /** Takes the frame out of the queue. If it is marked, it is written back, and declined again. */
    final String clean() {
        if (!pollMarked()) {
            return "skipped";
        }
        if (!states.tryClaimQueued(FRAME)) {
            return "in use";
        }
        leaveToCleaner();
        return "written";
    }

    private void leaveToCleaner() {
        states.revoke(FRAME, true);
        add();
    }

    /** {@return the number of places that the frame has in the queue, and whether it is marked} */
    final String end() {
        int places = 0;
        while (poll()) {
            places++;
        }
        return (FrameState.isQueued(states.state(FRAME)) ? "marked, " : "not marked, ") + places + " in the queue";
    }
}
