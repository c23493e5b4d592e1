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
    /** Where the words that each search writes begin in {@link #hot}; a cache line, or two, lies on either side. */
    private static final int CLAIMED = 16;

    private static final int FRAMES_SCANNED = CLAIMED + 1;
    private static final int HOT_WORDS = FRAMES_SCANNED + 17;

    private final FrameLifecycle<?> frames;
    private final FrameStates states;
    /**
     * The frame that the policy has claimed and not returned yet, and the number of frames scanned. The collector moves
     * the scans of all threads next to each other; in fields these words would share a cache line between threads. The
     * other fields are written only if something rare has happened.
     */
    private final long[] hot = new long[HOT_WORDS];
    /** Null if such events are not recorded. */
    private VictimSearchEvent event;
    /** Null before the first pause. */
    private BoundedWait wait;

    private boolean hasFailed;
    private int declined;
    private int waits;
    private boolean exhausted;

    VictimScan(FrameLifecycle<?> frames) {
        this.frames = frames;
        this.states = frames.states();
    }

    /** Begins a search; {@return this} */
    VictimScan begin() {
        hot[FRAMES_SCANNED] = 0;
        if (event != null || hasFailed || declined > 0) {
            event = null;
            wait = null;
            hasFailed = false;
            declined = 0;
            waits = 0;
            exhausted = false;
        }
        VictimSearchEvent wanted = FlightEvents.victimSearch();
        if (wanted != null) {
            event = wanted;
        }
        return this;
    }

    /**
     * {@return the victim of the policy, claimed, or NONE} If the policy throws after it has claimed a frame, the claim
     * ends. The policy may have forgotten that frame; the pool's last resort finds it again.
     */
    int evict(ReplacementPolicy policy, long identity) {
        hot[CLAIMED] = FreeFrames.NONE;
        try {
            return policy.evict(identity, this);
        } catch (Throwable failure) {
            if (hot[CLAIMED] != FreeFrames.NONE) {
                frames.revoke((int) hot[CLAIMED], false);
            }
            throw failure;
        }
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        hot[FRAMES_SCANNED]++;
        return switch (states.ageOrClaim(frame)) {
            case CLAIMED -> {
                hot[CLAIMED] = frame;
                yield Outcome.CLAIMED;
            }
            case AGED -> Outcome.AGED;
            case SKIPPED -> Outcome.SKIPPED;
        };
    }

    @Override
    public boolean tryClaim(int frame) {
        hot[FRAMES_SCANNED]++;
        if (!states.tryClaim(frame)) {
            return false;
        }
        hot[CLAIMED] = frame;
        return true;
    }

    void declined() {
        declined++;
    }

    long framesScanned() {
        return hot[FRAMES_SCANNED];
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
        if (event != null && framesScanned() + waits > 0 && event.isWanted()) {
            event.record(options.name(), frames.frames(), framesScanned(), declined, waits, exhausted);
        }
    }
}
