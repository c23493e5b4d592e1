// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Finds a frame for a miss: a free one; or a victim that is or becomes clean; or one past the soft maximum; or, at the
 * hard maximum, throws an exception after a bounded wait.
 *
 * <p>A dirty victim is given back and left to the cleaner, and another is sought. If there is no cleaner, or it lags
 * and the host allows it, the miss writes the victim back itself: under its claim, so no thread uses the content
 * meanwhile, and the content stays mapped until it is clean.
 *
 * @param <X> the checked exception of the contents
 */
final class VictimSearch<X extends Exception> {
    /** The number of dirty victims that are left to the cleaner before a miss writes one back itself. */
    private static final int DECLINES_BEFORE_CLEANING = 8;
    /** The number of growth frames that a miss scans while the pool is over its soft maximum. */
    private static final int RETIREMENTS_PER_MISS = 4;
    /** How long a thread waits before it searches again when all frames are pinned. */
    private static final long RETRY_NANOS = 200_000;

    private static final long GREATEST_RETRY_NANOS = 5_000_000;

    private final FrameLifecycle<X> frames;
    private final FrameStates states;
    private final ReplacementPolicy policy;
    private final FrameContents<X> contents;
    private final PoolOptions options;
    private final WriteBackQueue queue;
    private final Spares<VictimScan> scans;

    /** The frame past the soft maximum that is scanned next; the order does not matter. */
    private final AtomicInteger cursor = new AtomicInteger();

    private final LongAdder framesScanned = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder foregroundCleans = new LongAdder();
    private volatile boolean collecting;

    VictimSearch(
            FrameLifecycle<X> frames,
            ReplacementPolicy policy,
            FrameContents<X> contents,
            PoolOptions options,
            WriteBackQueue queue) {
        this.frames = frames;
        this.states = frames.states();
        this.scans = new Spares<>(() -> new VictimScan(frames));
        this.policy = policy;
        this.contents = contents;
        this.options = options;
        this.queue = queue;
    }

    /** {@return a frame that this thread has claimed, and that is empty; NONE only if it may not wait for one} */
    int acquire(long identity, boolean mayWait) throws X {
        int frame = frames.takeFree();
        if (frame != FrameLifecycle.NONE) {
            return frame;
        }
        long thread = Thread.currentThread().getId();
        VictimScan scan = scans.take(thread).begin();
        try {
            frame = search(identity, mayWait, scan);
        } catch (Throwable failure) {
            end(scan, thread);
            throw failure;
        }
        try {
            end(scan, thread);
        } catch (Throwable failure) { // no memory for a counter or an event
            if (frame != FrameLifecycle.NONE) {
                frames.release(frame);
            }
            throw failure;
        }
        return frame;
    }

    private void end(VictimScan scan, long thread) {
        if (collecting) {
            framesScanned.add(scan.framesScanned());
        }
        scan.end(options);
        scans.putBack(thread, scan);
    }

    private int search(long identity, boolean mayWait, VictimScan scan) throws X {
        int frame = FrameLifecycle.NONE; // the caller has tried to take a free one
        for (int dirtyVictims = 0; ; frame = frames.takeFree()) {
            if (frame != FrameLifecycle.NONE) {
                return frame;
            }
            if (frames.isGrown()) {
                retireSome();
            }
            frame = scan.evict(policy, identity);
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
                frame = scan.hasFailed() ? claimUnknown() : ReplacementPolicy.NONE;
                if (frame == ReplacementPolicy.NONE) {
                    awaitSomeFrame(scan);
                    continue;
                }
            }
            if (tryEvictContent(frame, dirtyVictims)) {
                return frame;
            }
            dirtyVictims++;
            scan.declined();
        }
    }

    /** Evicts the content of a claimed victim, or gives the victim back because it is dirty. */
    private boolean tryEvictContent(int frame, int dirtyVictims) throws X {
        boolean clean;
        try {
            clean = !contents.isDirty(frame);
            if (!clean && mustCleanNow(dirtyVictims)) {
                frames.writeBack(frame);
                count(foregroundCleans);
                clean = true;
            }
            if (clean) {
                count(evictions);
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
        return true;
    }

    /**
     * Queues the frame for write-back and excludes it from eviction until then; otherwise every miss would be offered
     * the same unwritable victim. Without a cleaner the frame is tried again when there is no other victim. The policy
     * takes the frame back first, since another thread may evict or remove the frame once the claim has ended.
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
        if (!queue.add(frame)) {
            states.clearQueued(frame);
        }
        queue.nudge();
    }

    private boolean mustCleanNow(int dirtyVictims) {
        return !queue.hasCleaner()
                || (options.foregroundCleaning()
                        && (dirtyVictims >= DECLINES_BEFORE_CLEANING || queue.isLong())
                        && contents.mayCleanHere());
    }

    /** Claims the frame that has waited longest for the cleaner, when there is no other victim. */
    private int claimQueued() {
        for (int frame = queue.poll(); frame != WriteBackQueue.NONE; frame = queue.poll()) {
            if (states.tryClaimQueued(frame)) {
                takeFromPolicy(frame);
                return frame;
            }
            states.clearQueued(frame); // it is in use: a later search finds it again, dirty or clean
        }
        return ReplacementPolicy.NONE;
    }

    /**
     * Last resort: scans for any frame that can be claimed, when there is no other frame and none can be added.
     * Recovers frames that the policy lost when {@code onLoad}, {@code onDeclined} or {@code evict} threw.
     */
    private int claimUnknown() {
        for (int frame = 0, count = frames.frames(); frame < count; frame++) {
            if (states.tryClaim(frame)) {
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
     * Evicts the content of a few frames past the soft maximum. Without a cleaner the miss writes one of them back if
     * it is dirty; otherwise a pool whose contents all become dirty would never shrink.
     */
    private void retireSome() throws X {
        int soft = options.softFrames();
        int span = frames.frames() - soft;
        boolean mayWrite = !queue.hasCleaner();
        for (int i = 0; i < RETIREMENTS_PER_MISS && span > 0; i++) {
            int frame = soft + Math.floorMod(cursor.getAndIncrement(), span);
            if (states.tryClaim(frame)) {
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
                frames.release(frame);
                count(evictions);
            }
        } else if (queue.hasCleaner()) {
            leaveToCleaner(frame);
            count(declined);
        } else {
            frames.revoke(frame, false);
        }
        return wrote;
    }

    private void awaitSomeFrame(VictimScan scan) {
        if (!scan.awaitFrame(options, options.exhaustedAfter().toNanos(), RETRY_NANOS, GREATEST_RETRY_NANOS)) {
            throw options.exhausted().apply(exhausted(Duration.ofNanos(scan.waited())));
        }
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
}
