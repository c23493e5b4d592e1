// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * 2R-GCLOCK with one loaded frame, which is cold and dirty. A search for a victim meets it, while another thread has
 * written its page and says so. Makes the policy, which is package-private, accessible to the stress tests.
 */
public class CleanedFrame {
    private static final int FRAME = 0;
    private static final int FRAMES = 20;
    private static final int DIRTY = 1;
    private static final int CLEAN = 2;
    private static final int OWNED = 3;
    /** The search tries the frame twice in its cold cell. Its last scan of all frames must not hide a loss. */
    private static final int ATTEMPTS = 2;

    private final AtomicInteger state = new AtomicInteger(CLEAN);
    private final TwoRingGclock policy = new TwoRingGclock(FRAMES);
    private int attempts;

    private final Claims claims = new Claims() {
        @Override
        public Outcome ageOrClaim(int frame) {
            return claim(frame);
        }

        @Override
        public boolean tryClaim(int frame) {
            return claim(frame) == Outcome.CLAIMED;
        }

        @Override
        public Outcome claim(int frame) {
            if (frame != FRAME || attempts == ATTEMPTS) {
                return Outcome.SKIPPED;
            }
            attempts++;
            return attempt(attempts);
        }
    };

    public CleanedFrame() {
        policy.onLoad(FRAME, 1, 0);
        policy.evict(2, claims);
        policy.onDeclined(FRAME); // puts it into the cold ring
        attempts = 0;
        state.set(DIRTY);
    }

    /** Attempt 1 or 2 of a search to claim the frame. */
    Claims.Outcome attempt(int number) {
        if (state.get() == DIRTY) {
            return Claims.Outcome.DIRTY;
        }
        return state.compareAndSet(CLEAN, OWNED) ? Claims.Outcome.CLAIMED : Claims.Outcome.SKIPPED;
    }

    public final void search() {
        policy.evict(2, claims);
    }

    public final void clean() {
        state.set(CLEAN);
        policy.onClean(FRAME);
    }

    /** {@return whether the frame was claimed, or searches try it again} */
    public final String end() {
        return state.get() == OWNED ? "claimed" : policy.isTried(FRAME) ? "tried" : "marked";
    }
}
