// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.flush.PageWriter;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.CleanedFrames;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.FrameWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimScan;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import java.io.IOException;

/**
 * Finds a frame for a miss of a page: a free one; or one that was dirty and has been written since; or a victim that
 * the policy claims; or else waits in {@linkplain FrameWait line}, and throws an exception when that has lasted too
 * long. Dirty pages are queued for the writer and never claimed; the first thread in line writes them itself if there
 * is no other frame. Thread-safe.
 */
final class PageSearch {
    private static final int NONE = FramePool.NONE;

    private final PoolOptions options;
    private final FramePool pool;
    private final FrameStates states;
    private final VictimSearch search;
    private final PageFrames frames;
    private final WriteBackQueue queue;
    private final CleanedFrames cleaned;
    /** Null if pages cannot be written. */
    private final PageWriter writer;

    PageSearch(
            PoolOptions options,
            FramePool pool,
            VictimSearch search,
            PageFrames frames,
            WriteBackQueue queue,
            CleanedFrames cleaned,
            PageWriter writer) {
        this.options = options;
        this.pool = pool;
        this.states = pool.states();
        this.search = search;
        this.frames = frames;
        this.queue = queue;
        this.cleaned = cleaned;
        this.writer = writer;
        pool.line().useDirtyPages(this::onUnusedDirtyPage);
    }

    /**
     * {@return a frame that this thread has claimed: free, or a victim with its page, which is clean; or LOST if
     * another thread has mapped the page meanwhile; or NONE, but only if this thread may not wait for one}
     */
    int take(long id, boolean mayWait) throws IOException {
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
                frame = searchFrame(id, mayWait, scan);
            } finally {
                search.end(scan, thread);
            }
            ended = true;
        } finally {
            if (!ended && frame >= 0) { // no memory for a counter or an event
                frames.free(frame);
            }
        }
        return frame;
    }

    private int searchFrame(long id, boolean mayWait, VictimScan scan) throws IOException {
        for (; ; ) {
            int frame = states.isFrameWanted() ? NONE : claim(id, scan);
            if (frame == NONE && mayWait) {
                frame = awaitFrame(id, scan);
            }
            if (frame < 0 || states.isEmpty(frame)) {
                return frame;
            }
            scan.countEviction();
            if (!pool.isSurplus(frame)) {
                return frame;
            }
            frames.free(frame); // the pool shrinks
        }
    }

    /** {@return a free frame, or a victim with its page, claimed by this thread; NONE if there is none} */
    private int claim(long id, VictimScan scan) {
        int frame = pool.takeFree();
        if (frame != NONE) {
            return frame;
        }
        if (pool.weightCap() > 0) { // a policy with lists puts the frames that were cleaned back itself
            frame = claimCleaned(scan);
            if (frame != NONE) {
                search.nudge(scan); // it may have passed one that is dirty again
                return frame;
            }
        }
        return search.evict(id, scan);
    }

    /** Claims a frame that was dirty when a search passed it, and has been written since. */
    private int claimCleaned(VictimScan scan) {
        for (int frame = cleaned.poll(); frame != CleanedFrames.NONE; frame = cleaned.poll()) {
            if (scan.tryClaim(frame)) {
                pool.takeFromPolicy(frame);
                return frame;
            }
        }
        return NONE;
    }

    /** Waits in line for a frame; {@return a free frame, or a victim with its page; or LOST} */
    private int awaitFrame(long id, VictimScan scan) throws IOException {
        FrameWait wait = scan.lineUp(options);
        try {
            for (; ; ) {
                int step = wait.next();
                int frame = NONE;
                if (step >= 0) {
                    frame = claimOffered(step);
                } else if (step == FrameWait.SWEEP) {
                    frame = sweep(id, scan, wait);
                } else if (step == FrameWait.OUT_OF_TIME) {
                    pool.failure().check();
                    frame = claimAny(id, scan);
                }
                if (frame != NONE) {
                    return frame;
                }
                if (step <= FrameWait.WOKEN && frames.isMapped(id)) {
                    return FramePool.LOST; // so that no page is evicted in vain
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
     * have offered nothing.
     */
    private int claimOffered(int offered) {
        if (states.tryClaim(offered)) {
            pool.takeFromPolicy(offered);
            return offered;
        }
        int frame = pool.takeFree();
        if (frame != NONE) {
            pool.line().offer(offered);
        }
        return frame;
    }

    /** {@return any frame} While there is none, the thread writes dirty pages, though other threads could take them. */
    private int sweep(long id, VictimScan scan, FrameWait wait) throws IOException {
        int frame = claimAny(id, scan);
        while (frame == NONE && !wait.isOver() && writeQueued()) {
            scan.stalled();
            search.countForegroundClean();
            frame = claimAny(id, scan);
        }
        return frame;
    }

    /** {@return a frame as {@link #claim} does, even one that the policy has lost} */
    private int claimAny(long id, VictimScan scan) {
        int frame = claim(id, scan);
        return frame != NONE ? frame : search.claimUnknown(scan);
    }

    /** Writes some pages that searches have met dirty; {@return whether one was written, or is by another thread} */
    private boolean writeQueued() throws IOException {
        if (writer == null || queue.isEmpty()) {
            return false;
        }
        int most = queue.hasCleaner() ? 1 : writer.batchPages();
        try {
            return writer.writeQueued(most) > 0;
        } catch (IOException | RuntimeException e) {
            if (writer.writesQueued()) {
                return false; // one of the pages that are being written will do
            }
            throw e;
        }
    }

    /**
     * A thread waits for a frame, and nobody uses this dirty page any more, which was marked as queued. Never throws.
     */
    private void onUnusedDirtyPage(int frame) {
        queue.add(frame);
        if (queue.hasCleaner()) {
            queue.nudge();
        } else {
            pool.line().sweep();
        }
    }
}
