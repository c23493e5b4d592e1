// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameLine;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Finds a frame for a miss: a free one; or one that was cleaned for misses; or a victim that is or becomes clean; or
 * one past the soft maximum; or, at the hard maximum, waits in line ({@link FrameLine}), and throws an exception when
 * that has lasted too long.
 *
 * <p>A dirty victim is given back and left to the cleaner, and another is sought. If there is no cleaner, or it lags
 * and the host allows it, the miss writes the victim back itself: under its claim, so no thread uses the content
 * meanwhile, and the content stays mapped until it is clean.
 *
 * @param <X> the checked exception of the contents
 */
final class VictimSearch<X extends Exception> {
    /** Returned by {@link #acquire} if the identity was mapped while the thread waited for a frame. */
    static final int MAPPED = -2;

    private static final int NONE = FrameLifecycle.NONE;
    /** The number of dirty victims that are left to the cleaner before a miss writes one back itself. */
    private static final int DECLINES_BEFORE_CLEANING = 8;
    /** The number of growth frames that a miss scans while the pool is over its soft maximum. */
    private static final int RETIREMENTS_PER_MISS = 4;

    /**
     * After a search in vain, a cache grows by this part of the frames past its soft maximum that are in use without
     * another search: otherwise the time to pin many contents would be quadratic in their number.
     */
    private static final int UNSEARCHED_PART = 8;

    /**
     * The number of scans that are used again. Each may have the remainder of a range, and {@link
     * io.clockhand.policy.ClockHand#BATCHED} makes ranges so short that all have at most a quarter of the frames.
     */
    private static final int SCANS =
            Integer.highestOneBit(Math.min(64, 4 * Runtime.getRuntime().availableProcessors()));

    private final FrameLifecycle<X> frames;
    private final FrameStates states;
    private final FrameLine line;
    private final ReplacementPolicy policy;
    private final FrameContents<X> contents;
    private final PoolOptions options;
    private final WriteBackQueue queue;
    private final Spares<VictimScan> scans;
    /**
     * Null if contents, not frames, are dirty. Not used while the policy has lists: it puts such frames back itself.
     */
    private final CleanedFrames cleaned;

    /** The frame past the soft maximum that is scanned next; the order does not matter. */
    private final AtomicInteger cursor = new AtomicInteger();

    /** The number of frames by which the cache may grow before the next search. */
    private final AtomicInteger unsearched = new AtomicInteger();

    private final LongAdder searches = new LongAdder();
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
        this.scans = new Spares<>(() -> new VictimScan(frames, queue), SCANS);
        this.line = frames.line();
        this.policy = policy;
        this.contents = contents;
        this.options = options;
        this.queue = queue;
        this.cleaned = options.pages() ? new CleanedFrames(states, options.rows()) : null;
        line.useDirtyPages(this::onDirtyPage);
    }

    /** A thread waits for a frame, and nobody uses this dirty page any more. Never throws. */
    private void onDirtyPage(int frame) {
        queue.add(frame);
        if (queue.hasCleaner()) {
            queue.nudge();
        } else {
            line.sweep();
        }
    }

    /**
     * {@return an empty frame that this thread has claimed; or MAPPED; or NONE, but only if it may not wait for one}
     */
    int acquire(long identity, FrameBinding binding, boolean mayWait) throws X {
        if (!states.isFrameWanted()) { // or others wait, and come first
            int free = frames.takeFree();
            if (free != NONE) {
                return free;
            }
        }
        int frame;
        long thread = Thread.currentThread().getId();
        VictimScan scan = scans.take(thread).begin();
        try {
            frame = search(identity, binding, mayWait, scan);
        } catch (Throwable failure) {
            end(scan, thread);
            throw failure;
        }
        try {
            end(scan, thread);
        } catch (Throwable failure) { // no memory for a counter or an event
            if (frame >= 0) {
                frames.release(frame);
            }
            throw failure;
        }
        return frame;
    }

    /** A queued frame is offered to no thread, but others may write those that this thread has passed. */
    private void offerDirtyVictims(VictimScan scan) {
        if (scan.dirtyVictims() > 0) {
            line.sweep();
        }
    }

    private void end(VictimScan scan, long thread) {
        try {
            offerDirtyVictims(scan);
            if (scan.hasWaited()) {
                contents.onStall(scan.waited());
            }
            if (collecting && scan.framesScanned() > 0) {
                searches.increment();
                framesScanned.add(scan.framesScanned());
            }
            scan.end(options);
        } finally {
            scans.putBack(thread, scan); // in any case: what is not put back is lost to its stripe
        }
    }

    private int search(long identity, FrameBinding binding, boolean mayWait, VictimScan scan) throws X {
        for (; ; ) {
            int frame = NONE;
            // a thread that has met a dirty victim goes on with its search, as it was served already
            if (!states.isFrameWanted() || scan.dirtyVictims() > 0) {
                frame = claimOne(identity, scan);
            }
            if (frame == NONE && mayWait) {
                frame = awaitFrame(identity, binding, scan);
            }
            if (frame < 0 || isEmpty(frame)) {
                return frame;
            }
            if (tryEvictContent(frame, scan)) {
                if (!frames.isSurplus(frame)) {
                    return frame;
                }
                frames.release(frame); // the pool shrinks
            }
        }
    }

    private boolean isEmpty(int frame) {
        return FrameState.content(states.state(frame)) == FrameState.EMPTY;
    }

    /** {@return a free frame, or a victim with its content, claimed by this thread; NONE if there is none} */
    private int claimOne(long identity, VictimScan scan) throws X {
        int frame = frames.takeFree();
        if (frame != NONE) {
            return frame;
        }
        if (frames.isGrown()) {
            retireSome();
            if (unsearched.get() > 0 && unsearched.getAndDecrement() > 0) {
                frame = frames.grow();
                if (frame != NONE) {
                    return frame;
                }
            }
        }
        frame = cleansInOrder() ? claimCleaned(scan) : NONE;
        if (frame == NONE) {
            frame = scan.evict(policy, identity);
        }
        if (scan.endQueueing()) {
            queue.nudge();
        }
        if (frame == NONE && !options.pages() && mustCleanNow(DECLINES_BEFORE_CLEANING)) {
            frame = claimQueued();
            if (frame != NONE) {
                scan.countDirty(DECLINES_BEFORE_CLEANING);
            }
        }
        if (frame == NONE) {
            frame = frames.grow();
            unsearched.set(frames.growthInUse() / UNSEARCHED_PART);
        }
        return frame;
    }

    private boolean cleansInOrder() {
        return cleaned != null && policy.weightCap() > 0;
    }

    /** Claims a frame that was dirty when a search passed it, and has been written since. */
    private int claimCleaned(VictimScan scan) {
        for (int frame = cleaned.poll(); frame != CleanedFrames.NONE; frame = cleaned.poll()) {
            if (scan.tryClaim(frame)) {
                takeFromPolicy(frame);
                return frame;
            }
        }
        return NONE;
    }

    /** The write of a page in a frame that was queued has ended. Never throws. */
    void onWritten(int frame, int generation) {
        if (cleansInOrder()) {
            cleaned.add(frame, generation);
        }
    }

    // --- waiting -----------------------------------------------------------------------------------------------------

    /** Waits in line for a frame; {@return a free frame, or a victim with its content; or MAPPED} */
    private int awaitFrame(long identity, FrameBinding binding, VictimScan scan) throws X {
        FrameLine.Place place = scan.beginWait(options);
        boolean mustTry = line.enter(place);
        try {
            for (; ; ) {
                int frame = mustTry ? claimOffered(identity, scan, place) : NONE;
                if (frame == NONE && !scan.await(line, options.exhaustedAfter().toNanos())) {
                    options.failure().check();
                    frame = claimAny(identity, scan);
                    if (frame == NONE && binding.isMapped(identity)) {
                        return MAPPED;
                    }
                    if (frame == NONE) {
                        scan.exhausted();
                        throw options.exhausted().apply(exhausted(Duration.ofNanos(scan.waited())));
                    }
                }
                if (frame != NONE) {
                    return frame;
                }
                if (binding.isMapped(identity)) {
                    return MAPPED;
                }
                frame = claimOffered(identity, scan, place);
                if (frame != NONE) {
                    return frame;
                }
                line.enterAgain(place);
                mustTry = true;
            }
        } finally {
            line.leave(place);
        }
    }

    /** {@return a frame that was offered to the line; or any, if a sweep is due} */
    private int claimOffered(long identity, VictimScan scan, FrameLine.Place place) throws X {
        for (int hint = line.poll(); hint != NONE; hint = line.poll()) {
            if (states.tryClaim(hint)) {
                takeFromPolicy(hint);
                return hint;
            }
            int frame = takeFreeInstead(hint);
            if (frame != NONE) {
                return frame;
            }
        }
        if (!line.beginSweep(place)) {
            return NONE;
        }
        int frame = claimAny(identity, scan);
        while (frame == NONE && mayHelp(scan) && contents.writeQueued()) {
            scan.stalled();
            count(foregroundCleans);
            frame = claimAny(identity, scan);
        }
        if (frame == NONE) {
            line.endSweep(place);
        }
        return frame;
    }

    /** {@return whether the search may still write dirty pages; other threads could take all that it has written} */
    private boolean mayHelp(VictimScan scan) {
        return scan.waited() < options.exhaustedAfter().toNanos();
    }

    /**
     * {@return any free frame, or NONE} It will do, also if the one of the hint is not free: the thread that had the
     * hint of another has taken it. If that is free still, nobody else knows: its hint is used up, and the thread that
     * has freed the frame taken here may have found it taken, and so have offered nothing. Nor does anybody if the pool
     * must grow for it, and that fails.
     */
    private int takeFreeInstead(int hint) {
        int frame;
        try {
            frame = frames.takeFreeOrGrow();
        } catch (Throwable failure) {
            line.offer(hint);
            throw failure;
        }
        if (frame != NONE) {
            line.offer(hint);
        }
        return frame;
    }

    /** {@return a frame as {@link #claimOne} does, even one that the policy has lost} */
    private int claimAny(long identity, VictimScan scan) throws X {
        int frame = claimOne(identity, scan);
        return frame != NONE ? frame : claimUnknown(scan);
    }

    /** Evicts the content of a claimed victim, or gives the victim back because it is dirty. */
    private boolean tryEvictContent(int frame, VictimScan scan) throws X {
        boolean clean;
        try {
            clean = !contents.isDirty(frame);
            if (!clean && mustCleanNow(scan.dirtyVictims())) {
                frames.writeBack(frame);
                count(foregroundCleans);
                clean = true;
            }
            if (clean) {
                count(evictions);
            }
        } catch (Throwable failure) {
            scan.declined();
            decline(frame);
            throw failure;
        }
        if (!clean) {
            scan.declined();
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
        queue.add(frame); // if it is full, the mark stays
        queue.nudge();
    }

    /** {@return the frame that has waited longest for the cleaner, or {@link WriteBackQueue#NONE}} */
    int pollQueued() {
        int frame = queue.poll();
        if (frame == WriteBackQueue.NONE && queue.endOverflow()) {
            addMarked();
            queue.nudge(); // this thread may take only one of them
            frame = queue.poll();
        }
        return frame;
    }

    private void addMarked() {
        for (int frame = 0, count = frames.frames(); frame < count; frame++) {
            if (FrameState.isQueued(states.state(frame)) && !queue.add(frame)) {
                return;
            }
        }
    }

    private boolean mustCleanNow(int dirtyVictims) {
        return !queue.hasCleaner()
                || (options.foregroundCleaning()
                        && (dirtyVictims >= DECLINES_BEFORE_CLEANING || queue.isLong())
                        && contents.mayCleanHere());
    }

    /** Claims the frame that has waited longest for the cleaner, when there is no other victim. */
    private int claimQueued() {
        for (int frame = pollQueued(); frame != WriteBackQueue.NONE; frame = pollQueued()) {
            if (states.tryClaimQueued(frame)) {
                takeFromPolicy(frame);
                return frame;
            }
            frames.clearQueued(frame); // it is in use: a later search finds it again, dirty or clean
        }
        return NONE;
    }

    /**
     * Last resort: scans for any frame that can be claimed, when there is no other frame and none can be added.
     * Recovers frames that the policy lost when {@code onLoad}, {@code onDeclined} or {@code evict} threw.
     */
    private int claimUnknown(VictimScan scan) {
        for (int frame = 0, count = frames.frames(); frame < count; frame++) {
            if (scan.tryClaim(frame)) {
                takeFromPolicy(frame);
                return frame;
            }
        }
        return NONE;
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

    private String exhausted(Duration waited) {
        int pinned = 0;
        int dirty = 0;
        long pins = 0;
        StringBuilder examples = new StringBuilder();
        for (int frame = 0, count = frames.frames(); frame < count; frame++) {
            int framePins = states.users(frame);
            if (framePins > 0) {
                pinned++;
                pins += framePins;
                if (pinned <= 3) {
                    examples.append(pinned > 1 ? ", " : "").append(contents.describe(frame));
                }
            } else if (FrameState.isQueued(states.state(frame))) {
                dirty++;
            }
        }
        return pinned + " of " + frames.capacity() + " frames are pinned"
                + (pinned == 0 ? "" : " (" + pins + " pins; " + examples + ")")
                + (dirty == 0 ? "" : ", " + dirty + " are dirty and wait for the cleaner")
                + ", and no other frame became free within " + waited.toMillis() + " ms; "
                + (dirty == 0 ? "" : "write dirty contents back sooner, ") + options.exhaustedRemedy();
    }

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }

    void collect(boolean on) {
        collecting = on;
    }

    long searches() {
        return searches.sum();
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
