// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FreeFrames;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.VictimSearchEvent;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;

/**
 * One search for a victim: lets the policy claim a frame, remembers the claim until the policy returns the frame, and
 * counts for statistics and events. Used by one thread at a time, again and again, so that a miss allocates nothing for
 * it.
 */
final class VictimScan implements Claims {
    private final FrameLifecycle<?> frames;
    private final FrameStates states;
    /** Null if such events are not recorded. */
    private VictimSearchEvent event;
    /** The frame that the policy has claimed, and not returned yet. */
    private int claimed = FreeFrames.NONE;
    /** Null before the first pause. */
    private BoundedWait wait;

    private boolean hasFailed;
    private long framesScanned;
    private int declined;
    private int waits;
    private boolean exhausted;

    VictimScan(FrameLifecycle<?> frames) {
        this.frames = frames;
        this.states = frames.states();
    }

    /** Begins a search; {@return this} */
    VictimScan begin() {
        event = FlightEvents.victimSearch();
        wait = null;
        hasFailed = false;
        framesScanned = 0;
        declined = 0;
        waits = 0;
        exhausted = false;
        return this;
    }

    /**
     * {@return the victim of the policy, claimed, or NONE} If the policy throws after it has claimed a frame, the claim
     * ends. The policy may have forgotten that frame; the pool's last resort finds it again.
     */
    int evict(ReplacementPolicy policy, long identity) {
        claimed = FreeFrames.NONE;
        try {
            return policy.evict(identity, this);
        } catch (Throwable failure) {
            if (claimed != FreeFrames.NONE) {
                frames.revoke(claimed, false);
            }
            throw failure;
        }
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        framesScanned++;
        return switch (states.ageOrClaim(frame)) {
            case CLAIMED -> {
                claimed = frame;
                yield Outcome.CLAIMED;
            }
            case AGED -> Outcome.AGED;
            case SKIPPED -> Outcome.SKIPPED;
        };
    }

    @Override
    public boolean tryClaim(int frame) {
        framesScanned++;
        if (!states.tryClaim(frame)) {
            return false;
        }
        claimed = frame;
        return true;
    }

    void declined() {
        declined++;
    }

    long framesScanned() {
        return framesScanned;
    }

    /** {@return whether a round has ended without a frame before} */
    boolean hasFailed() {
        return hasFailed;
    }

    /**
     * Ends a round that has found no frame: pauses, but for the first time.
     *
     * @return false if the search has lasted for {@code nanos}
     */
    boolean awaitFrame(PoolOptions options, long nanos, long leastPause, long greatestPause) {
        if (!hasFailed) {
            hasFailed = true;
            return true;
        }
        if (wait == null) {
            wait = BoundedWait.begin(options, "a frame", () -> null);
        }
        if (wait.waited() > nanos) {
            exhausted = true;
            return false;
        }
        waits++;
        wait.pause(leastPause, greatestPause);
        return true;
    }

    long waited() {
        return wait.waited();
    }

    /** Ends the search and records it. */
    void end(PoolOptions options) {
        if (wait != null) {
            wait.end(exhausted);
        }
        if (event != null && framesScanned + waits > 0 && event.isWanted()) {
            event.record(options.name(), frames.frames(), framesScanned, declined, waits, exhausted);
        }
    }
}
