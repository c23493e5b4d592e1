// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Outcome;

/**
 * 2R-GCLOCK with two loaded frames: frame 0 is hot, and frame 1 is cold. A search for a victim, on behalf of a page
 * that returns in its test period, demotes frame 0 and evicts the page of frame 1; or the page of frame 0 is dropped,
 * and another loaded into it. Makes the policy, which is package-private, accessible to the stress tests.
 */
public final class DroppedFrame {
    private static final int HOT = 0;
    private static final int COLD = 1;
    private static final int FRAMES = 2;
    private static final int LOADED = 1;
    private static final int OWNED = 2;
    private static final long GHOST = 10;

    private final AtomicIntegerArray states = new AtomicIntegerArray(FRAMES);
    private final TwoRingGclock policy = new TwoRingGclock(FRAMES);
    private final Claims claims = new Claims() {
        @Override
        public Outcome ageOrClaim(int frame) {
            return claim(frame);
        }

        @Override
        public boolean tryClaim(int frame) {
            return states.compareAndSet(frame, LOADED, OWNED);
        }
    };

    public DroppedFrame() {
        load(HOT, 1);
        load(COLD, GHOST);
        load(policy.evict(2, claims), 2);
    }

    private void load(int frame, long page) {
        policy.onLoad(frame, page, 0);
        states.set(frame, LOADED);
    }

    /** Loads the page that returns in its test period. */
    public void miss() {
        int victim = policy.evict(GHOST, claims);
        if (victim != ReplacementPolicy.NONE) {
            load(victim, GHOST);
        }
    }

    /** Drops the hot page, if its frame can be claimed, and loads another one. */
    public void drop() {
        if (states.compareAndSet(HOT, LOADED, OWNED)) {
            policy.onRemove(HOT);
            load(HOT, 3);
        }
    }

    /** {@return whether each frame has one cell, and is counted once} */
    public String end() {
        try {
            policy.checkIntegrity();
            return "one cell";
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
}
