// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * What the searches for frames of pages and of objects share: scans that are used again, the last resort, the message
 * of an exhausted pool, and what is counted. Thread-safe.
 */
public final class VictimSearch {
    /**
     * The number of scans that are used again. Each may have the remainder of a range, and {@link
     * io.clockhand.policy.ClockHand#BATCHED} makes ranges so short that all have at most a quarter of the frames.
     */
    private static final int SCANS =
            Integer.highestOneBit(Math.min(64, 4 * Runtime.getRuntime().availableProcessors()));

    private final FramePool pool;
    private final FrameStates states;
    private final PoolOptions options;
    private final WriteBackQueue queue;
    private final LongConsumer onStall;
    private final Spares<VictimScan> scans;

    private final LongAdder searches = new LongAdder();
    private final LongAdder framesScanned = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder foregroundCleans = new LongAdder();
    private volatile boolean collecting;

    /**
     * Begins with nothing counted.
     *
     * @param pool has the frames
     * @param queue takes the dirty pages that a search meets
     * @param options name the pool
     * @param onStall gets for how many nanoseconds a search has waited for a frame, or written dirty pages; it neither
     *     allocates nor throws
     */
    public VictimSearch(FramePool pool, WriteBackQueue queue, PoolOptions options, LongConsumer onStall) {
        this.onStall = onStall;
        this.pool = pool;
        this.states = pool.states();
        this.queue = queue;
        this.options = options;
        this.scans = new Spares<>(() -> new VictimScan(pool, queue), SCANS);
    }

    /**
     * Begins a search.
     *
     * @param thread the id of the calling thread
     * @return what it scans by, until {@link #end}
     */
    public VictimScan begin(long thread) {
        return scans.take(thread).begin();
    }

    /**
     * Ends a search and records it. There may be no memory for a counter or an event.
     *
     * @param scan what it has scanned by
     * @param thread the id of the calling thread
     */
    public void end(VictimScan scan, long thread) {
        try {
            if (scan.dirtyVictims() > 0) { // offered to no thread, but others may write those that this one has passed
                pool.line().sweep();
            }
            if (scan.hasWaited()) {
                onStall.accept(scan.waited());
            }
            if (collecting && scan.framesScanned() > 0) {
                searches.increment();
                framesScanned.add(scan.framesScanned());
            }
            if (collecting && scan.evicted() > 0) {
                evictions.add(scan.evicted());
            }
            scan.end(options);
        } finally {
            scans.putBack(thread, scan); // in any case: what is not put back is lost to its stripe
        }
    }

    /**
     * Lets the policy choose a victim.
     *
     * @param identity what the frame is for
     * @param scan of the calling thread
     * @return the victim with its content, claimed; or {@link FramePool#NONE}
     */
    public int evict(long identity, VictimScan scan) {
        int frame = scan.evict(pool.policy(), identity);
        nudge(scan);
        return frame;
    }

    /**
     * Notifies the cleaner if the search has passed dirty pages, which are in the queue now.
     *
     * @param scan of the calling thread
     */
    public void nudge(VictimScan scan) {
        if (scan.endQueueing()) {
            queue.nudge();
        }
    }

    /**
     * Last resort: scans for any frame that can be claimed, when there is no other frame and none can be added.
     * Recovers frames that the policy lost when {@code onLoad}, {@code onDeclined} or {@code evict} threw.
     *
     * @param scan of the calling thread
     * @return the frame with its content, claimed; or {@link FramePool#NONE}
     */
    public int claimUnknown(VictimScan scan) {
        for (int frame = 0, count = pool.frames(); frame < count; frame++) {
            if (scan.tryClaim(frame)) {
                pool.takeFromPolicy(frame);
                return frame;
            }
        }
        return FramePool.NONE;
    }

    /**
     * {@return the exception for a search that has found no frame in time}
     *
     * @param scan of the calling thread
     */
    public RuntimeException exhausted(VictimScan scan) {
        scan.exhausted();
        return options.exhausted().apply(exhausted(Duration.ofNanos(scan.waited())));
    }

    private String exhausted(Duration waited) {
        int pinned = 0;
        int dirty = 0;
        long pins = 0;
        StringBuilder examples = new StringBuilder();
        for (int frame = 0, count = pool.frames(); frame < count; frame++) {
            int framePins = states.users(frame);
            if (framePins > 0) {
                pinned++;
                pins += framePins;
                if (pinned <= 3) {
                    examples.append(pinned > 1 ? ", " : "").append(pool.describe(frame));
                }
            } else if (FrameState.isQueued(states.state(frame))) {
                dirty++;
            }
        }
        return pinned + " of " + pool.capacity() + " frames are pinned"
                + (pinned == 0 ? "" : " (" + pins + " pins; " + examples + ")")
                + (dirty == 0 ? "" : ", " + dirty + " are dirty and wait for the cleaner")
                + ", and no other frame became free within " + waited.toMillis() + " ms; "
                + (dirty == 0 ? "" : "write dirty contents back sooner, ") + options.exhaustedRemedy();
    }

    // --- what is counted ---------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting; nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collect(boolean on) {
        collecting = on;
    }

    /** Counts a content that is evicted, and is no victim of this search. */
    public void countEviction() {
        count(evictions);
    }

    /** Counts a victim that was given back because it was dirty. */
    public void countDeclined() {
        count(declined);
    }

    /** Counts a content that a miss has written back itself. */
    public void countForegroundClean() {
        count(foregroundCleans);
    }

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }

    /** {@return searches for a victim while collecting, each of which has scanned at least one frame} */
    public long searches() {
        return searches.sum();
    }

    /** {@return frames scanned for victims while collecting: one for each step of a hand} */
    public long framesScanned() {
        return framesScanned.sum();
    }

    /** {@return victims evicted while collecting} */
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
}
