// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;

/** The steps alone: the mark in the word of the frame, then the notice. A broken twin overrides {@link #endWrite}. */
class TinyCleanNotice implements CleanNotice, Claims {
    private final FrameStates states = new FrameStates(FRAMES);
    private final ReplacementPolicy policy = Policies.create("lru", FRAMES);

    TinyCleanNotice() {
        for (int frame = 0; frame < FRAMES; frame++) {
            states.tryTakeFree(frame);
            states.publishPinned(frame, 0);
            policy.onLoad(frame, frame, 0);
            states.ready(frame);
            states.unpin(frame);
        }
        states.tryClaim(0);
        states.revoke(0, true);
    }

    @Override
    public final int search() {
        return policy.evict(0, this);
    }

    @Override
    public void endWrite() {
        clearMark();
        notifyPolicy();
    }

    final void clearMark() {
        states.clearQueued(0);
    }

    final void notifyPolicy() {
        policy.onClean(0);
    }

    @Override
    public final Outcome claim(int frame) {
        if (states.tryClaim(frame)) {
            return Outcome.CLAIMED;
        }
        return FrameState.isQueued(states.state(frame)) ? Outcome.DIRTY : Outcome.SKIPPED;
    }

    @Override
    public final boolean tryClaim(int frame) {
        return claim(frame) == Outcome.CLAIMED;
    }

    @Override
    public final Outcome ageOrClaim(int frame) {
        return claim(frame);
    }
}
