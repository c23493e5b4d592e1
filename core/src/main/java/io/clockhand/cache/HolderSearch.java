// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.FrameWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimScan;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds a frame for a miss: a free one; or a victim that is or becomes clean; or one past the soft maximum; or, at the
 * hard maximum, waits in {@linkplain FrameWait line}, and throws an exception when that has lasted too long.
 *
 * <p>A dirty victim is given back and left to the cleaner, and another is sought. If there is no cleaner, or it lags
 * and the engine allows it, the miss writes the victim back itself: under its claim, so no thread uses the holder
 * meanwhile, and the holder stays mapped until it is clean. Thread-safe.
 */
final class HolderSearch<K, V, X extends Exception> {
    private static final int NONE = FramePool.NONE;
    /** The number of dirty victims that are left to the cleaner before a miss writes one back itself. */
    private static final int DECLINES_BEFORE_CLEANING = 8;
    /** The number of growth frames that a miss scans while the cache is over its soft maximum. */
    private static final int RETIREMENTS_PER_MISS = 4;

    /**
     * After a search in vain, a cache grows by this part of the frames past its soft maximum that are in use without
     * another search: otherwise the time to pin many holders would be quadratic in their number.
     */
    private static final int UNSEARCHED_PART = 8;

    private final FramePool pool;
    private final FrameStates states;
    private final HolderContents<K, V, X> contents;
    private final WriteBackQueue queue;
    private final VictimSearch search;
    private final PoolOptions options;

    /** The frame past the soft maximum that is scanned next; the order does not matter. */
    private final AtomicInteger cursor = new AtomicInteger();

    /** The number of frames by which the cache may grow before the next search. */
    private final AtomicInteger unsearched = new AtomicInteger();

    HolderSearch(HolderContents<K, V, X> contents, WriteBackQueue queue, VictimSearch search, PoolOptions options) {
        this.pool = contents.pool;
        this.states = pool.states();
        this.contents = contents;
        this.queue = queue;
        this.search = search;
        this.options = options;
    }

    /**
     * {@return a frame that this thread has claimed: free, or a victim with its holder, which is clean; or LOST if
     * another thread has mapped the key while this one waited}
     */
    int take(K key, long tag) throws X {
        pool.enter();
        if (!states.isFrameWanted()) { // or others wait, and come first
            int free = pool.takeFree();
            if (free != NONE) {
                return free;
            }
        }
        long thread = Thread.currentThread().getId();
        VictimScan scan = search.begin(thread);
        int frame = NONE;
        boolean ended = false;
        try {
            try {
                frame = searchFrame(key, tag, scan);
            } finally {
                search.end(scan, thread);
            }
            ended = true;
        } finally {
            if (!ended && frame >= 0) { // no memory for a counter or an event
                contents.free(frame);
            }
        }
        return frame;
    }

    private int searchFrame(K key, long tag, VictimScan scan) throws X {
        for (; ; ) {
            int frame = NONE;
            // a thread that has met a dirty victim goes on with its search, as it was served already
            if (!states.isFrameWanted() || scan.dirtyVictims() > 0) {
                frame = isCleanerFailing(scan) ? pool.takeFreeOrGrow() : claim(tag, scan);
            }
            if (frame == NONE) {
                frame = awaitFrame(key, tag, scan);
            }
            if (frame < 0 || states.isEmpty(frame) || isClean(frame, scan)) {
                return frame;
            }
            if (isCleanerFailing(scan) && scan.isOver()) {
                throw search.exhausted(scan);
            }
        }
    }

    /**
     * {@return whether the search has met each frame as a dirty victim, so often that it would have found one that is
     * clean, whatever its weight} A holder is no victim while it waits for the cleaner, which must have failed to write
     * them: so the search grows or waits now, instead of offering them to the cleaner for ever.
     */
    private boolean isCleanerFailing(VictimScan scan) {
        return scan.dirtyVictims() > (pool.policy().weightCap() + 2L) * pool.frames();
    }

    /** {@return a free frame, or a victim with its holder, claimed by this thread; NONE if there is none} */
    private int claim(long tag, VictimScan scan) throws X {
        int frame = pool.takeFree();
        if (frame != NONE) {
            return frame;
        }
        if (pool.isGrown()) {
            retireSome();
            if (unsearched.get() > 0 && unsearched.getAndDecrement() > 0) {
                frame = pool.grow();
                if (frame != NONE) {
                    return frame;
                }
            }
        }
        frame = search.evict(tag, scan);
        if (frame == NONE && mustCleanNow(DECLINES_BEFORE_CLEANING)) {
            frame = claimQueued();
            if (frame != NONE) {
                scan.countDirty(DECLINES_BEFORE_CLEANING);
            }
        }
        if (frame == NONE) {
            frame = pool.grow();
            unsearched.set(pool.growthInUse() / UNSEARCHED_PART);
        }
        return frame;
    }

    /** Claims the frame that has waited longest for the cleaner, when there is no other victim. */
    private int claimQueued() {
        for (int frame = queue.poll(); frame != WriteBackQueue.NONE; frame = queue.poll()) {
            if (states.tryClaimQueued(frame)) {
                pool.takeFromPolicy(frame);
                return frame;
            }
            pool.clearQueued(frame); // it is in use: a later search finds it again, dirty or clean
        }
        return NONE;
    }

    // --- waiting -----------------------------------------------------------------------------------------------------

    /** Waits in line for a frame; {@return a free frame, or a victim with its holder; or LOST} */
    private int awaitFrame(K key, long tag, VictimScan scan) throws X {
        FrameWait wait = scan.lineUp(options);
        try {
            for (; ; ) {
                int step = wait.next();
                int frame = NONE;
                if (step >= 0) {
                    frame = claimOffered(step);
                } else if (step == FrameWait.SWEEP) {
                    frame = claimAny(tag, scan);
                } else if (step == FrameWait.OUT_OF_TIME) {
                    pool.failure().check();
                    frame = claimAny(tag, scan);
                }
                if (frame != NONE) {
                    return frame;
                }
                if (step <= FrameWait.WOKEN && contents.table.get(key, tag) != null) {
                    return FramePool.LOST; // so that no holder is evicted in vain
                }
                if (step == FrameWait.OUT_OF_TIME) {
                    throw search.exhausted(scan);
                }
            }
        } finally {
            wait.leave();
        }
    }

    /**
     * {@return the frame that was offered, or any free one, or NONE} If the offered one is free still, nobody else
     * knows: its hint is used up, and the thread that has freed the frame taken here may have found it taken, and so
     * have offered nothing. Nor does anybody if the cache must grow for it, and that fails.
     */
    private int claimOffered(int offered) {
        if (states.tryClaim(offered)) {
            pool.takeFromPolicy(offered);
            return offered;
        }
        boolean used = false;
        try {
            int frame = pool.takeFreeOrGrow();
            used = frame == NONE;
            return frame;
        } finally {
            if (!used) {
                pool.line().offer(offered);
            }
        }
    }

    /** {@return a frame as {@link #claim} does, even one that the policy has lost} */
    private int claimAny(long tag, VictimScan scan) throws X {
        int frame = claim(tag, scan);
        return frame != NONE ? frame : search.claimUnknown(scan);
    }

    // --- victims -----------------------------------------------------------------------------------------------------

    /** {@return whether a claimed victim is clean, or was written; if not, it is given back} */
    private boolean isClean(int frame, VictimScan scan) throws X {
        boolean clean = false;
        try {
            clean = !contents.isDirty(frame);
            if (!clean && mustCleanNow(scan.dirtyVictims())) {
                contents.clean(frame);
                search.countForegroundClean();
                clean = true;
            }
        } finally {
            if (!clean) {
                scan.declined();
                decline(frame);
            }
        }
        if (clean) {
            scan.countEviction();
        } else {
            search.countDeclined();
        }
        return clean;
    }

    private boolean mustCleanNow(int dirtyVictims) {
        return !queue.hasCleaner()
                || (options.foregroundCleaning()
                        && (dirtyVictims >= DECLINES_BEFORE_CLEANING || queue.isLong())
                        && contents.lifecycle.mayCleanHere());
    }

    /**
     * Queues the frame for write-back and excludes it from eviction until then; otherwise every miss would be offered
     * the same unwritable victim. Without a cleaner the frame is tried again when there is no other victim. The policy
     * takes the frame back first, since another thread may evict or remove the frame once the claim has ended.
     */
    private void decline(int frame) {
        try {
            pool.policy().onDeclined(frame);
        } finally {
            leaveToCleaner(frame);
        }
    }

    private void leaveToCleaner(int frame) {
        pool.revoke(frame, true);
        queue.add(frame); // if it is full, the mark stays
        queue.nudge();
    }

    // --- frames past the soft maximum --------------------------------------------------------------------------------

    /**
     * Evicts the holders of a few frames past the soft maximum. Without a cleaner the miss writes one of them back if
     * it is dirty; otherwise a cache whose holders all become dirty would never shrink.
     */
    private void retireSome() throws X {
        int soft = options.softFrames();
        int span = pool.frames() - soft;
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
        boolean dirty = true; // also if nobody knows
        boolean wrote = false;
        boolean checked = false;
        try {
            dirty = contents.isDirty(frame);
            if (dirty && mayWrite) {
                contents.clean(frame);
                search.countForegroundClean();
                wrote = true;
                dirty = false;
            }
            checked = true;
        } finally {
            if (dirty && checked && queue.hasCleaner()) {
                leaveToCleaner(frame);
                search.countDeclined();
            } else if (dirty) {
                pool.revoke(frame, false);
            }
        }
        if (!dirty) {
            try {
                contents.remove(frame);
            } finally {
                search.countEviction();
            }
        }
        return wrote;
    }
}
