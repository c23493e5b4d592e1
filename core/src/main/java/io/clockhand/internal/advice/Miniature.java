// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;

/**
 * A small cache without contents, in which sampled references are played through a replacement policy: the same calls
 * in the same order as one thread makes them in a pool, and the same weights. Every frame is clean and unused when a
 * victim is sought.
 *
 * <p>If the policy fails, the miniature ends: references have no effect, and its figures are of no use.
 *
 * <p>Used by one thread at a time; {@link #references} and {@link #hits} by any.
 */
final class Miniature implements Claims {
    private static final int NONE = ReplacementPolicy.NONE;
    /** As the state word of a frame has room for. */
    private static final int GENERATIONS = 0xFFFF;

    private final ReplacementPolicy policy;
    private final boolean tracksAccesses;
    private final int weightCap;
    private final FrameIndex index;
    /** By frame. */
    private final long[] pages;

    private final int[] weights;
    private final int[] generations;
    private int used;
    private int claimed = NONE;
    private long playedHits;
    private long played;
    /** Of the references up to the last call of {@link #play}. */
    private volatile long hits;

    private volatile long references;
    private volatile boolean failed;

    /**
     * Creates an empty cache.
     *
     * @param policy for that number of frames
     * @param frames at least 1
     */
    Miniature(ReplacementPolicy policy, int frames) {
        this.policy = policy;
        this.tracksAccesses = policy.tracksAccesses();
        this.weightCap = policy.weightCap();
        this.index = new FrameIndex(frames);
        this.pages = new long[frames];
        this.weights = new int[frames];
        this.generations = new int[frames];
    }

    /** Plays references. Never throws. */
    void play(long[] ids, int from, int to) {
        if (failed) {
            return;
        }
        try {
            for (int i = from; i < to; i++) {
                played++;
                if (reference(ids[i])) {
                    playedHits++;
                }
            }
            hits = playedHits;
            references = played;
        } catch (Throwable failure) { // a defect of a policy must not reach the thread that fixes a page
            failed = true;
        }
    }

    /** {@return the number of frames} */
    int frames() {
        return pages.length;
    }

    /** {@return the references played} */
    long references() {
        return references;
    }

    /** {@return the references that found their page} */
    long hits() {
        return hits;
    }

    /** {@return whether the policy has failed} */
    boolean hasFailed() {
        return failed;
    }

    private boolean reference(long id) {
        int frame = index.find(id);
        if (frame == FrameIndex.NONE) {
            load(id);
            return false;
        }
        if (weights[frame] < weightCap) {
            weights[frame]++;
        }
        if (tracksAccesses) {
            policy.onHit(frame);
        }
        return true;
    }

    private void load(long id) {
        int frame = used < pages.length ? used++ : evict(id);
        pages[frame] = id;
        index.add(id, frame);
        weights[frame] = Math.min(1, weightCap);
        generations[frame] = (generations[frame] + 1) & GENERATIONS;
        policy.onLoad(frame, id, generations[frame]);
    }

    private int evict(long incoming) {
        int victim = policy.evict(incoming, this);
        if (victim == NONE || victim != claimed) {
            throw new IllegalStateException("the policy gave frame " + victim + " as its victim and claimed frame "
                    + claimed + ", of " + pages.length + " unused frames");
        }
        claimed = NONE;
        index.remove(pages[victim]);
        return victim;
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        if (claimed != NONE) {
            return Outcome.SKIPPED;
        }
        if (weights[frame] > 1) {
            weights[frame]--;
            return Outcome.AGED;
        }
        weights[frame] = 0;
        claimed = frame;
        return Outcome.CLAIMED;
    }

    @Override
    public Outcome age(int frame) {
        if (weights[frame] <= 1) {
            return Outcome.SPENT;
        }
        weights[frame]--;
        return Outcome.AGED;
    }

    @Override
    public boolean tryClaim(int frame) {
        if (claimed != NONE) {
            return false;
        }
        claimed = frame;
        return true;
    }
}
