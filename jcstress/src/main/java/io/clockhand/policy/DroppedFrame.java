// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * 2R-GCLOCK with one loaded frame, which is hot. A search for a victim takes its token, demotes it and claims it; or
 * its page is dropped, and another loaded into it. Makes the policy, which is package-private, accessible to the stress
 * tests.
 */
public class DroppedFrame {
    private static final int FRAME = 0;
    private static final int FRAMES = 20;
    private static final int LOADED = 1;
    private static final int OWNED = 2;

    private final AtomicInteger state = new AtomicInteger(OWNED);
    private final TwoRingGclock policy;
    private final Claims claims = new Claims() {
        @Override
        public Outcome ageOrClaim(int frame) {
            return claim(frame);
        }

        @Override
        public boolean tryClaim(int frame) {
            return frame == FRAME && state.compareAndSet(LOADED, OWNED);
        }
    };

    public DroppedFrame() {
        this(new ListedFrames(FRAMES));
    }

    DroppedFrame(ListedFrames listed) {
        policy = new TwoRingGclock(FRAMES, listed, false);
        load(1);
    }

    static ListedFrames thatIgnoreOwners() {
        return new ListedFrames(FRAMES) {
            @Override
            boolean move(long token, int from, int to) {
                super.move(token, from, to);
                return true;
            }
        };
    }

    private void load(long page) {
        policy.onLoad(FRAME, page, 0);
        state.set(LOADED);
    }

    /** Evicts the page, if the frame can be claimed, and loads another one. */
    public final void miss() {
        if (policy.evict(2, claims) == FRAME) {
            load(2);
        }
    }

    /** Drops the page, if the frame can be claimed, and loads another one. */
    public final void drop() {
        if (state.compareAndSet(LOADED, OWNED)) {
            policy.onRemove(FRAME);
            load(3);
        }
    }

    /** {@return whether the frame has one token, and is counted once} */
    public final String end() {
        try {
            policy.checkIntegrity();
            return "one token";
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
}
