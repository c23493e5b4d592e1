// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.QueuedHits;

/**
 * One thread hits the content of the only frame, and the hit is queued; the other puts another content into the frame.
 */
abstract class StaleHit {
    private static final int FRAME = 0;
    private static final long OLD = 1;
    private static final long NEW = 2;

    private final FrameStates states = new FrameStates(1);
    private final QueuedHits queue;

    StaleHit(QueuedHits queue) {
        this.queue = queue;
        states.tryTakeFree(FRAME);
        load(OLD);
    }

    private void load(long content) {
        states.publishPinned(FRAME, 0);
        states.setIdentity(FRAME, content);
        queue.load(FRAME, (int) content);
        states.ready(FRAME);
        states.unpin(FRAME);
    }

    /** {@return the content that was hit} */
    final String hit() {
        if (states.tryPinReady(FRAME, OLD, 0)) {
            return hit("old");
        }
        return states.tryPinReady(FRAME, NEW, 0) ? hit("new") : "none";
    }

    private String hit(String content) {
        queue.tryAdd(FRAME);
        states.unpin(FRAME);
        return content;
    }

    /** {@return the content that the frame has then} */
    final String replace() {
        if (!states.tryClaim(FRAME)) {
            return "old";
        }
        load(NEW);
        return "new";
    }

    /** Whether the hit is replayed if, and only if, the content that was hit is there. */
    final String end(String hit, String there) {
        boolean replayed = !queue.tryReplay().isEmpty();
        return replayed == hit.equals(there)
                ? "right"
                : "hit: " + hit + ", there: " + there + ", replayed: " + replayed;
    }
}
