// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import io.clockhand.internal.frame.FreeFrames;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/**
 * The engine room: pins, victims and the one copy of the miss protocol, in frame numbers only.
 *
 * <p>At any time a frame is exactly one of: free; claimed by one thread; mapped; doomed with stale pins left. Its state
 * word ({@link FrameStates}) says which; {@link FrameContents} knows what it holds. No lock is held around any call of
 * the contents.
 *
 * <p><b>The miss</b> ({@link #miss}):
 * <ol>
 * <li>a free frame, or a victim: the policy makes a tentative claim; a victim whose content is dirty is given back, is
 * cleaned while it stays mapped, and another is sought; a clean one is cleared and unmapped;
 * <li>the frame is bound to the new identity and published with one pin and no content;
 * <li>the identity is mapped to it; a thread that was second gives its frame up, and the frame is free again;
 * <li>the content is loaded and published. If that fails the identity is unmapped and the frame given up.
 * </ol>
 *
 * <p>Source: the structure is that of Nb-GCLOCK's {@code fix} (ICDE 2010, Fig. 3), without its faults: dirty victims are
 * written before they are unmapped, nothing is published before it is complete, a loser's frame is not lost, and a pool
 * whose frames are all pinned grows or fails after a bounded wait.
 *
 * @param <X> the checked exception of the contents
 */
public final class FramePool<X extends Exception> {
    /** What {@link #miss} returns when another thread has mapped the identity first. */
    public static final int LOST = -1;
    /** What {@link #miss} returns when there is no content for the identity. */
    public static final int ABSENT = -2;

    /** So many dirty victims are left to the cleaner before a miss writes one back itself. */
    private static final int DECLINES_BEFORE_CLEANING = 8;
    /** So many growth frames are examined by a miss while the pool is over its soft maximum. */
    private static final int RETIREMENTS_PER_MISS = 4;
    /** How long a thread waits before it looks again for a frame when all are pinned. */
    private static final long RETRY_NANOS = 200_000;

    private final FrameStates states;
    private final FrameWaiters waiters;
    private final FreeFrames free;
    private final GrowthFrames growth;
    private final ReplacementPolicy policy;
    private final FrameContents<X> contents;
    private final PoolOptions options;
    private final int weightCap;
    private final boolean observesHits;

    private final AtomicInteger cursor = new AtomicInteger();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder foregroundCleans = new LongAdder();
    private volatile boolean collecting;

    private final Claims claims = new Claims() {
        @Override
        public Outcome ageOrClaim(int frame) {
            return switch (states.ageOrClaim(frame)) {
                case CLAIMED -> Outcome.CLAIMED;
                case AGED -> Outcome.AGED;
                case SKIPPED -> Outcome.SKIPPED;
            };
        }

        @Override
        public boolean tryClaim(int frame) {
            return states.tryClaim(frame);
        }
    };

    /**
     * Makes a pool whose frames are all free.
     *
     * @param options sizes and waits
     * @param policy chooses the victims
     * @param contents what the frames hold
     */
    public FramePool(PoolOptions options, ReplacementPolicy policy, FrameContents<X> contents) {
        this.options = options;
        this.policy = policy;
        this.contents = contents;
        this.weightCap = policy.weightCap();
        this.observesHits = policy.observesHits();
        int soft = options.softFrames();
        this.states = new FrameStates(soft);
        this.waiters = new FrameWaiters(states);
        this.free = new FreeFrames(states, soft);
        this.growth = new GrowthFrames(states, soft, options.hardFrames(), this::onFrames);
        contents.onFrames(soft);
    }

    // --- hits --------------------------------------------------------------------------------------------------------

    /**
     * Pins a frame for a hit, with its weight.
     *
     * @param frame any frame
     * @return the state with the pin, or {@link FrameStates#NOT_PINNED}
     */
    public long tryPin(int frame) {
        return states.tryPin(frame, weightCap);
    }

    /**
     * Pins a frame without a change of its weight, for maintenance.
     *
     * @param frame any frame
     * @return the state with the pin, or {@link FrameStates#NOT_PINNED}
     */
    public long tryPinQuietly(int frame) {
        return states.tryPin(frame, 0);
    }

    /**
     * Tells the policy of a hit, if it wants to know.
     *
     * @param frame a frame that the caller has pinned
     */
    public void onHit(int frame) {
        if (observesHits) {
            policy.onHit(frame);
        }
    }

    /**
     * Takes one pin off.
     *
     * @param frame a frame that the caller has pinned
     */
    public void unpin(int frame) {
        long before = states.unpin(frame);
        if (FrameStates.isWaited(before)) {
            waiters.wake(frame, before);
        }
        if (FrameStates.isDoomed(before) && FrameStates.pins(before) == 1) {
            recycle(frame);
        }
    }

    /**
     * Waits until the content of a pinned frame is ready or will never be.
     *
     * @param frame a frame that the caller has pinned
     * @return whether it is ready
     */
    public boolean awaitReady(int frame) {
        await(frame, s -> FrameStates.content(s) != FrameStates.EMPTY, "the content");
        return FrameStates.content(states.state(frame)) == FrameStates.READY;
    }

    /**
     * Waits until the claim on a frame ends, if it has one.
     *
     * @param frame any frame
     */
    public void awaitUnclaimed(int frame) {
        int generation = FrameStates.generation(states.state(frame));
        await(
                frame,
                s -> !FrameStates.isClaimed(s) || FrameStates.isFree(s) || FrameStates.generation(s) != generation,
                "the end of an eviction");
    }

    // --- the miss ----------------------------------------------------------------------------------------------------

    /**
     * Brings a content in.
     *
     * @param identity the page id, or a hash of the key
     * @param arrival the steps that depend on the kind of content
     * @return the frame, pinned and ready; or {@link #LOST}; or {@link #ABSENT}
     * @throws X if a load, or the write-back of a victim, failed
     */
    public int miss(long identity, Arrival<X> arrival) throws X {
        int frame = acquire(identity);
        boolean bound = false;
        try {
            arrival.bind(frame);
            bound = true;
        } finally {
            if (!bound) {
                release(frame);
            }
        }
        waiters.wake(frame, states.publishPinned(frame, weightCap > 0 ? 1 : 0));
        boolean mapped = false;
        try {
            mapped = arrival.map(frame);
        } finally {
            if (!mapped) {
                giveUp(frame);
            }
        }
        return mapped ? load(identity, frame, arrival) : LOST;
    }

    private int load(long identity, int frame, Arrival<X> arrival) throws X {
        boolean loaded = false;
        try {
            loaded = arrival.load(frame);
        } finally {
            if (!loaded) {
                try {
                    arrival.unmap(frame);
                } finally {
                    giveUp(frame);
                }
            }
        }
        if (!loaded) {
            return ABSENT;
        }
        policy.onLoad(frame, identity, FrameStates.generation(states.state(frame)));
        waiters.wake(frame, states.ready(frame));
        return frame;
    }

    /** {@return a frame that this thread has claimed, and that holds nothing} */
    private int acquire(long identity) throws X {
        long since = 0;
        for (int dirtyVictims = 0; ; ) {
            int frame = free.poll();
            if (frame != FreeFrames.NONE) {
                return frame;
            }
            if (growth.isGrown()) {
                retireSome();
            }
            frame = policy.evict(identity, claims);
            if (frame == ReplacementPolicy.NONE && mustCleanNow(DECLINES_BEFORE_CLEANING)) {
                frame = claimQueued();
                dirtyVictims = DECLINES_BEFORE_CLEANING;
            }
            if (frame == ReplacementPolicy.NONE) {
                frame = growth.take();
                if (frame >= 0) {
                    return frame;
                }
                since = awaitSomeFrame(since);
            } else if (tryVacate(frame, dirtyVictims)) {
                return frame;
            } else {
                dirtyVictims++;
            }
        }
    }

    /** Empties a victim that the policy has claimed, or gives it back because it is dirty. */
    private boolean tryVacate(int frame, int dirtyVictims) throws X {
        boolean clean = false;
        try {
            clean = !contents.isDirty(frame);
            if (!clean && mustCleanNow(dirtyVictims)) {
                writeBack(frame);
                count(foregroundCleans);
                clean = true;
            }
        } catch (Throwable failure) {
            policy.onDeclined(frame);
            // As if it were used: a list would name the same frame to every miss, and all of them would fail.
            onHit(frame);
            waiters.wake(frame, states.revoke(frame, false));
            throw failure;
        }
        if (!clean) {
            decline(frame);
            contents.cleanLater(frame);
            count(declined);
            return false;
        }
        boolean vacated = false;
        try {
            contents.vacate(frame);
            vacated = true;
        } finally {
            if (!vacated) {
                release(frame);
            }
        }
        count(evictions);
        return true;
    }

    /** The cleaner lags so far behind that nothing but dirty frames is left: takes one of them out of its queue. */
    private int claimQueued() {
        int frames = growth.frames();
        int from = cursor.getAndIncrement();
        for (int i = 0; i < frames; i++) {
            int frame = Math.floorMod(from + i, frames);
            if (FrameStates.isQueued(states.state(frame)) && states.tryClaimQueued(frame)) {
                policy.onRemove(frame);
                return frame;
            }
        }
        return ReplacementPolicy.NONE;
    }

    private boolean mustCleanNow(int dirtyVictims) {
        return !contents.hasCleaner() || (options.foregroundCleaning() && dirtyVictims >= DECLINES_BEFORE_CLEANING);
    }

    private void writeBack(int frame) throws X {
        states.tryBeginWriting(frame);
        try {
            contents.clean(frame);
        } finally {
            waiters.wake(frame, states.endWriting(frame));
        }
    }

    /** The policy takes it back first: once the claim has ended another thread may evict or remove the frame. */
    private void decline(int frame) {
        policy.onDeclined(frame);
        waiters.wake(frame, states.revoke(frame, true));
    }

    private long awaitSomeFrame(long since) {
        long now = System.nanoTime();
        if (since == 0) {
            return now;
        }
        if (now - since > options.exhaustedAfter().toNanos()) {
            throw options.exhausted().apply(exhausted(Duration.ofNanos(now - since)));
        }
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(this, RETRY_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return since;
    }

    private String exhausted(Duration waited) {
        int pinned = 0;
        long pins = 0;
        StringBuilder examples = new StringBuilder();
        for (int frame = 0; frame < frames(); frame++) {
            int framePins = FrameStates.pins(states.state(frame));
            if (framePins > 0) {
                pinned++;
                pins += framePins;
                if (pinned <= 3) {
                    examples.append(pinned > 1 ? ", " : "").append(contents.describe(frame));
                }
            }
        }
        return pinned + " of " + frames() + " frames are pinned (" + pins + " pins; " + examples
                + ") and no other frame became free within " + waited.toMillis()
                + " ms; release holders sooner, or raise hardCapacity";
    }

    // --- leaving -----------------------------------------------------------------------------------------------------

    /**
     * Waits until the caller's pin is the only one and turns it into a claim.
     *
     * @param frame a frame that the caller has pinned
     */
    public void awaitLastPin(int frame) {
        while (!states.tryClaimLastPin(frame)) {
            await(frame, s -> FrameStates.pins(s) == 1, "the last other pin");
        }
    }

    /**
     * Claims an unpinned frame for maintenance, even one that is queued for cleaning.
     *
     * @param frame any frame
     * @return whether the caller owns it now
     */
    public boolean tryClaim(int frame) {
        return states.tryClaimQueued(frame);
    }

    /**
     * Gives a frame back that was claimed for maintenance.
     *
     * @param frame a frame that the caller has claimed
     */
    public void revoke(int frame) {
        waiters.wake(frame, states.revoke(frame, false));
    }

    /**
     * Empties a frame that was claimed for maintenance and frees it.
     *
     * @param frame a frame that the caller has claimed
     */
    public void remove(int frame) {
        policy.onRemove(frame);
        try {
            contents.vacate(frame);
        } finally {
            release(frame);
        }
    }

    /**
     * While the pool is over its soft maximum, each miss empties a few of the frames past it. Without a cleaner it writes
     * one of them back if it must: else a pool whose contents all become dirty would never shrink.
     */
    private void retireSome() throws X {
        int soft = options.softFrames();
        int span = growth.frames() - soft;
        boolean wrote = false;
        for (int i = 0; i < RETIREMENTS_PER_MISS && span > 0; i++) {
            int frame = soft + Math.floorMod(cursor.getAndIncrement(), span);
            if (!states.tryClaim(frame)) {
                continue;
            }
            boolean queue = contents.hasCleaner();
            boolean dirty = true;
            try {
                dirty = contents.isDirty(frame);
                if (dirty && !queue && !wrote) {
                    writeBack(frame);
                    count(foregroundCleans);
                    dirty = false;
                    wrote = true;
                }
            } finally {
                if (dirty) {
                    waiters.wake(frame, states.revoke(frame, queue));
                }
            }
            if (!dirty) {
                remove(frame);
            } else if (queue) {
                contents.cleanLater(frame);
            }
        }
    }

    private void giveUp(int frame) {
        long before = states.giveUp(frame);
        waiters.wake(frame, before);
        if (FrameStates.pins(before) == 1) {
            recycle(frame);
        }
    }

    private void release(int frame) {
        waiters.wake(frame, states.free(frame));
        recycle(frame);
    }

    private void recycle(int frame) {
        if (growth.isGrowth(frame)) {
            growth.onFreed();
        } else {
            free.offer(frame);
        }
    }

    private void onFrames(int frames) {
        contents.onFrames(frames);
        policy.onCapacity(frames);
    }

    // --- write-back --------------------------------------------------------------------------------------------------

    /**
     * Waits for a write-back under way, if there is one, and begins another.
     *
     * @param frame a frame that the caller has pinned
     */
    public void beginWriting(int frame) {
        while (!states.tryBeginWriting(frame)) {
            await(frame, s -> !FrameStates.isWriting(s), "a write-back under way");
        }
    }

    /**
     * Ends a write-back.
     *
     * @param frame a frame for which the caller began one
     */
    public void endWriting(int frame) {
        waiters.wake(frame, states.endWriting(frame));
    }

    private void await(int frame, LongPredicate condition, String what) {
        long begin = System.nanoTime();
        while (!waiters.await(frame, condition, options.longWait().toNanos())) {
            options.onLongWait()
                    .accept(
                            what + " of " + contents.describe(frame) + " in frame " + frame + " "
                                    + FrameStates.toString(states.state(frame)),
                            Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }

    /**
     * Starts or stops counting evictions and write-backs; nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collect(boolean on) {
        collecting = on;
    }

    /** {@return the number of frames now} */
    public int frames() {
        return growth.frames();
    }

    /** {@return the most frames that were in use at any time} */
    public int peakFrames() {
        return free.used() + growth.peak();
    }

    /** {@return victims emptied while collecting} */
    public long evictions() {
        return evictions.sum();
    }

    /** {@return victims given back because they were dirty, while collecting} */
    public long declined() {
        return declined.sum();
    }

    /** {@return dirty victims that a miss wrote back itself, while collecting} */
    public long foregroundCleans() {
        return foregroundCleans.sum();
    }

    /**
     * Checks, while no other thread uses the pool, that every free frame can be found again.
     *
     * @throws IllegalStateException if a free frame is lost
     */
    public void checkFreeFrames() {
        int marked = 0;
        for (int frame = 0; frame < options.softFrames(); frame++) {
            marked += FrameStates.isFree(states.state(frame)) ? 1 : 0;
        }
        int listed = free.size();
        if (listed != marked) {
            throw new IllegalStateException(marked + " frames are free, but " + listed + " are listed as free");
        }
    }

    /**
     * Reads the state of a frame.
     *
     * @param frame any frame
     * @return its state word
     */
    public long state(int frame) {
        return states.state(frame);
    }
}
