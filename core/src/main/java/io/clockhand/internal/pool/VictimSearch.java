// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * How a miss comes by a frame: a free one; or a victim that is or becomes clean; or one past the soft maximum; or, at
 * the hard maximum, an exception after a bounded wait.
 *
 * <p>A dirty victim is given back and left to the cleaner, and another is sought. If there is no cleaner, or it lags and
 * the host allows it, the miss writes the victim back itself: under its claim, so nobody uses the content meanwhile, and
 * the content is mapped until it is clean.
 *
 * @param <X> the checked exception of the contents
 */
final class VictimSearch<X extends Exception> {
    /** So many dirty victims are left to the cleaner before a miss writes one back itself. */
    private static final int DECLINES_BEFORE_CLEANING = 8;
    /** So many growth frames are examined by a miss while the pool is over its soft maximum. */
    private static final int RETIREMENTS_PER_MISS = 4;
    /** How long a thread waits before it looks again for a frame when all are pinned. */
    private static final long RETRY_NANOS = 200_000;

    private static final long GREATEST_RETRY_NANOS = 5_000_000;

    private final FrameLifecycle<X> frames;
    private final FrameStates states;
    private final ReplacementPolicy policy;
    private final FrameContents<X> contents;
    private final PoolOptions options;
    private final Claims claims;

    /** Which frame past the soft maximum is looked at next; its order does not matter. */
    private final AtomicInteger cursor = new AtomicInteger();

    private final LongAdder framesScanned = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder foregroundCleans = new LongAdder();
    private volatile boolean collecting;

    VictimSearch(FrameLifecycle<X> frames, ReplacementPolicy policy, FrameContents<X> contents, PoolOptions options) {
        this.frames = frames;
        this.states = frames.states();
        this.policy = policy;
        this.contents = contents;
        this.options = options;
        this.claims = new StateClaims();
    }

    /** {@return a frame that this thread has claimed, and that holds nothing} */
    int acquire(long identity) throws X {
        return acquire(identity, true);
    }

    /** {@return a frame that this thread has claimed, and that holds nothing; or NONE if it would have to wait for one} */
    int tryAcquire(long identity) throws X {
        return acquire(identity, false);
    }

    private int acquire(long identity, boolean mayWait) throws X {
        SearchRecord record = SearchRecord.begun(claims);
        if (record == null) {
            return search(identity, mayWait, claims, null);
        }
        try {
            return search(identity, mayWait, record, record);
        } finally {
            record.end(options.name(), frames.frames());
        }
    }

    /** With {@code record} null unless somebody records it. */
    private int search(long identity, boolean mayWait, Claims claims, SearchRecord record) throws X {
        long since = 0;
        for (int dirtyVictims = 0; ; ) {
            int frame = frames.takeFree();
            if (frame != FrameLifecycle.NONE) {
                return frame;
            }
            if (frames.isGrown()) {
                retireSome();
            }
            frame = policy.evict(identity, claims);
            if (frame == ReplacementPolicy.NONE && mustCleanNow(DECLINES_BEFORE_CLEANING)) {
                frame = claimQueued();
                dirtyVictims = DECLINES_BEFORE_CLEANING;
            }
            if (frame == ReplacementPolicy.NONE) {
                frame = frames.grow();
                if (frame != FrameLifecycle.NONE) {
                    return frame;
                }
                if (!mayWait) {
                    return FrameLifecycle.NONE;
                }
                frame = since == 0 ? ReplacementPolicy.NONE : claimUnknown();
                if (frame == ReplacementPolicy.NONE) {
                    since = awaitSomeFrame(since, record);
                    continue;
                }
            }
            if (tryEvictContent(frame, dirtyVictims)) {
                return frame;
            }
            dirtyVictims++;
            if (record != null) {
                record.declined();
            }
        }
    }

    /** Empties a victim that the policy has claimed, or gives it back because it is dirty. */
    private boolean tryEvictContent(int frame, int dirtyVictims) throws X {
        boolean clean;
        try {
            clean = !contents.isDirty(frame);
            if (!clean && mustCleanNow(dirtyVictims)) {
                frames.writeBack(frame);
                count(foregroundCleans);
                clean = true;
            }
        } catch (Throwable failure) {
            decline(frame);
            throw failure;
        }
        if (!clean) {
            decline(frame);
            count(declined);
            return false;
        }
        frames.evictContent(frame);
        count(evictions);
        return true;
    }

    /**
     * The frame waits to be cleaned; till then it is no victim, or a list would name one that cannot be written to every miss, and all would fail. Where
     * nobody cleans it is tried again when there is no other victim. The policy takes it back first: once the claim has ended another thread may
     * evict or remove the frame.
     */
    private void decline(int frame) {
        try {
            policy.onDeclined(frame);
        } finally {
            leaveToCleaner(frame);
        }
    }

    private void leaveToCleaner(int frame) {
        frames.revoke(frame, true);
        boolean queued = false;
        try {
            contents.cleanLater(frame);
            queued = true;
        } finally {
            if (!queued) {
                states.clearQueued(frame);
            }
        }
    }

    private boolean mustCleanNow(int dirtyVictims) {
        return !contents.hasCleaner()
                || (options.foregroundCleaning()
                        && (dirtyVictims >= DECLINES_BEFORE_CLEANING || contents.cleanerLags())
                        && contents.mayCleanHere());
    }

    /** Nothing but frames that wait for the cleaner is left: takes the oldest of them out of its queue. */
    private int claimQueued() {
        for (int frame = contents.pollQueued(); frame != FrameLifecycle.NONE; frame = contents.pollQueued()) {
            if (!states.tryClaimQueued(frame) || !frames.confirm(frame)) {
                states.clearQueued(frame); // somebody uses it, so it is sought again later, dirty or not
            } else {
                takeFromPolicy(frame);
                return frame;
            }
        }
        return ReplacementPolicy.NONE;
    }

    /**
     * Claims any frame that can be claimed. A frame of which the policy does not know, because its {@code onLoad} or {@code onDeclined} has failed
     * half-way (memory that ran out), is no victim of the policy's any more; here is where it comes back when there is no other frame, and none can
     * be added.
     */
    private int claimUnknown() {
        for (int frame = 0, count = frames.frames(); frame < count; frame++) {
            if (states.tryClaim(frame) && frames.confirm(frame)) {
                takeFromPolicy(frame);
                return frame;
            }
        }
        return ReplacementPolicy.NONE;
    }

    private void takeFromPolicy(int frame) {
        try {
            policy.onRemove(frame);
        } catch (Throwable failure) {
            frames.revoke(frame, false);
            throw failure;
        }
    }

    /**
     * While the pool is over its soft maximum, each miss empties a few of the frames past it. Without a cleaner it writes
     * one of them back if it must: else a pool whose contents all become dirty would never shrink.
     */
    private void retireSome() throws X {
        int soft = options.softFrames();
        int span = frames.frames() - soft;
        boolean mayWrite = !contents.hasCleaner();
        for (int i = 0; i < RETIREMENTS_PER_MISS && span > 0; i++) {
            int frame = soft + Math.floorMod(cursor.getAndIncrement(), span);
            if (states.tryClaim(frame) && frames.confirm(frame)) {
                mayWrite &= !retire(frame, mayWrite);
            }
        }
    }

    /** {@return whether the frame was written back} */
    private boolean retire(int frame, boolean mayWrite) throws X {
        boolean dirty;
        boolean wrote = false;
        try {
            dirty = contents.isDirty(frame);
            if (dirty && mayWrite) {
                frames.writeBack(frame);
                count(foregroundCleans);
                dirty = false;
                wrote = true;
            }
        } catch (Throwable failure) {
            frames.revoke(frame, false);
            throw failure;
        }
        if (!dirty) {
            try {
                policy.onRemove(frame);
            } finally {
                frames.evictContent(frame);
                count(evictions);
                frames.release(frame);
            }
        } else if (contents.hasCleaner()) {
            leaveToCleaner(frame);
            count(declined);
        } else {
            frames.revoke(frame, false);
        }
        return wrote;
    }

    /** {@return when the wait began, as a nano time, which is 0 at its first call} */
    private long awaitSomeFrame(long since, SearchRecord record) {
        long now = System.nanoTime();
        if (since == 0) {
            return now;
        }
        if (now - since > options.exhaustedAfter().toNanos()) {
            if (record != null) {
                record.exhausted();
            }
            throw options.exhausted().apply(exhausted(Duration.ofNanos(now - since)));
        }
        if (record != null) {
            record.waits();
        }
        boolean interrupted = false;
        // longer and longer, since many threads may wait, and each of them sweeps the pool
        long nanos = Math.max(RETRY_NANOS, Math.min(GREATEST_RETRY_NANOS, (now - since) / 8));
        // an interrupt ends a park, and so does the one that is set again after a wait before
        for (long left = nanos; left > 0; left = now + nanos - System.nanoTime()) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return since;
    }

    private String exhausted(Duration waited) {
        int pinned = 0;
        long pins = 0;
        StringBuilder examples = new StringBuilder();
        int count = frames.frames();
        for (int frame = 0; frame < count; frame++) {
            int framePins = states.users(frame);
            if (framePins > 0) {
                pinned++;
                pins += framePins;
                if (pinned <= 3) {
                    examples.append(pinned > 1 ? ", " : "").append(contents.describe(frame));
                }
            }
        }
        return pinned + " of " + count + " frames are pinned (" + pins + " pins; " + examples
                + ") and no other frame became free within " + waited.toMillis()
                + " ms; " + options.exhaustedRemedy();
    }

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }

    void collect(boolean on) {
        collecting = on;
    }

    long framesScanned() {
        return framesScanned.sum();
    }

    long evictions() {
        return evictions.sum();
    }

    long declined() {
        return declined.sum();
    }

    long foregroundCleans() {
        return foregroundCleans.sum();
    }

    /** The frames as the policy sees them. */
    private final class StateClaims implements Claims {
        @Override
        public Outcome ageOrClaim(int frame) {
            count(framesScanned);
            return switch (states.ageOrClaim(frame)) {
                case CLAIMED -> frames.confirm(frame) ? Outcome.CLAIMED : Outcome.SKIPPED;
                case AGED -> Outcome.AGED;
                case SKIPPED -> Outcome.SKIPPED;
            };
        }

        @Override
        public boolean tryClaim(int frame) {
            count(framesScanned);
            return states.tryClaim(frame) && frames.confirm(frame);
        }
    }
}
