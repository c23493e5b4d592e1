// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameOutcome;
import io.clockhand.internal.frame.FrameState;
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
public final class VictimScan implements Claims {
    /** Where the words that each search writes begin in {@link #hot}; a cache line, or two, lies on either side. */
    private static final int CLAIMED = 16;

    private static final int FRAMES_SCANNED = CLAIMED + 1;
    private static final int HAND = CLAIMED + 2;
    private static final int REMAINDER = CLAIMED + 3;
    private static final int EVICTED = CLAIMED + 4;
    private static final int HOT_WORDS = EVICTED + 17;

    private final FramePool frames;
    private final FrameStates states;
    private final WriteBackQueue queue;
    /**
     * The frame that the policy has claimed and not returned yet, the number of frames scanned, the remainder that a
     * hand has left to the next search, and the number of victims evicted. The collector moves
     * the scans of all threads next to each other; in fields these words would share a cache line between threads. The
     * other fields are written only if something rare has happened.
     */
    private final long[] hot = new long[HOT_WORDS];
    /** Null if such events are not recorded. */
    private VictimSearchEvent event;
    /** Null before the search has waited. */
    private FrameWait wait;
    /** Whether one of the fields around this one differs from its initial value. */
    private boolean isUnusual;

    private int dirtyVictims;
    /** Dirty pages that this search has queued since {@link #endQueueing}. */
    private int queuedPages;

    private int declined;
    private int readStalls;
    private boolean exhausted;

    VictimScan(FramePool frames, WriteBackQueue queue) {
        this.frames = frames;
        this.states = frames.states();
        this.queue = queue;
    }

    /** Begins a search; {@return this} */
    VictimScan begin() {
        hot[FRAMES_SCANNED] = 0;
        hot[EVICTED] = 0;
        if (isUnusual) {
            isUnusual = false;
            event = null;
            wait = null;
            dirtyVictims = 0;
            queuedPages = 0;
            declined = 0;
            readStalls = 0;
            exhausted = false;
        }
        VictimSearchEvent wanted = FlightEvents.victimSearch();
        if (wanted != null) {
            event = wanted;
            isUnusual = true;
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

    /** {@return whether the search has waited, and lasted for too long} */
    public boolean isOver() {
        return wait != null && wait.isOver();
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        hot[FRAMES_SCANNED]++;
        FrameOutcome outcome = states.ageOrClaim(frame);
        if (outcome
                == FrameOutcome.CLAIMED) { // no switch: the first one in a class needs memory for a class of its own
            hot[CLAIMED] = frame;
            return Outcome.CLAIMED;
        }
        if (outcome == FrameOutcome.AGED) {
            return Outcome.AGED;
        }
        return refusal(frame);
    }

    @Override
    public Outcome age(int frame) {
        hot[FRAMES_SCANNED]++;
        FrameOutcome outcome = states.age(frame);
        if (outcome == FrameOutcome.AGED) {
            return Outcome.AGED;
        }
        return outcome == FrameOutcome.SPENT ? Outcome.SPENT : Outcome.SKIPPED;
    }

    @Override
    public boolean tryClaim(int frame) {
        return claim(frame) == Outcome.CLAIMED;
    }

    @Override
    public Outcome claim(int frame) {
        hot[FRAMES_SCANNED]++;
        if (!states.tryClaim(frame)) {
            return refusal(frame);
        }
        hot[CLAIMED] = frame;
        return Outcome.CLAIMED;
    }

    @Override
    public long takeRemainder(long hand) {
        long remainder = hot[HAND] == hand ? hot[REMAINDER] : NO_REMAINDER;
        hot[REMAINDER] = NO_REMAINDER;
        return remainder;
    }

    @Override
    public boolean leaveRemainder(long hand, long position) {
        hot[HAND] = hand;
        hot[REMAINDER] = position;
        return true;
    }

    /** {@return DIRTY if the frame is queued, since the thread that takes the mark off calls the policy afterwards} */
    private Outcome refusal(int frame) {
        queueIfDirty(frame);
        return FrameState.isQueued(states.state(frame)) ? Outcome.DIRTY : Outcome.SKIPPED;
    }

    /** A dirty page is never claimed. It goes to the write-back queue, once. */
    private void queueIfDirty(int frame) {
        if (states.tryQueueDirty(frame)) {
            queue.add(frame);
            isUnusual = true;
            queuedPages++;
            declined++;
        }
    }

    /** {@return whether this search has queued dirty pages since the last call} */
    boolean endQueueing() {
        boolean queued = queuedPages > 0;
        queuedPages = 0;
        return queued;
    }

    /** A victim was dirty, and is given back. */
    public void declined() {
        isUnusual = true;
        dirtyVictims++;
        declined++;
    }

    /**
     * Counts as dirty victims, though none was given back.
     *
     * @param count how many
     */
    public void countDirty(int count) {
        isUnusual = true;
        dirtyVictims = count;
    }

    /** {@return the number of victims that were dirty} */
    public int dirtyVictims() {
        return dirtyVictims;
    }

    /** Counts a victim that is evicted. Neither allocates nor throws. */
    public void countEviction() {
        hot[EVICTED]++;
    }

    long evicted() {
        return hot[EVICTED];
    }

    long framesScanned() {
        return hot[FRAMES_SCANNED];
    }

    /**
     * Lines up for a frame.
     *
     * @param options bound the wait
     * @return the wait, which the caller must {@linkplain FrameWait#leave end}
     */
    public FrameWait lineUp(PoolOptions options) {
        isUnusual = true;
        if (wait == null) {
            wait = new FrameWait(frames.line(), options);
        }
        wait.enter();
        return wait;
    }

    /** There is no clean frame: the thread writes dirty ones. */
    public void stalled() {
        readStalls++; // the thread waits, so this is unusual already
    }

    /** The search ends without a frame. */
    void exhausted() {
        exhausted = true;
    }

    /** {@return whether the search has waited for a frame} */
    public boolean hasWaited() {
        return wait != null;
    }

    /** {@return for how long, in nanoseconds} */
    public long waited() {
        return wait.waited();
    }

    /** Ends the search and records it. */
    void end(PoolOptions options) {
        int waits = wait == null ? 0 : wait.count();
        if (wait != null) {
            wait.end(exhausted);
        }
        if (event != null && framesScanned() + waits > 0) {
            event.searched(options.name(), frames.capacity(), framesScanned(), declined, waits, readStalls, exhausted);
            FlightEvents.finish(event);
        }
    }
}
