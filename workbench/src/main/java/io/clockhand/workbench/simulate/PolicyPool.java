// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.PageId;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.util.Arrays;

/**
 * The page pool as a policy sees it, without the pages: the same calls in the same order as one thread makes them
 * there, and the same weights. So the hits are those of the pool.
 *
 * <p>Frames that were never used are filled in the order of their numbers. A page comes with weight 1, if the policy
 * keeps weights, and a hit adds one up to the policy's cap. No page is ever dirty, and none is pinned when a victim is
 * sought.
 */
final class PolicyPool implements SimulatedPool, Claims {
    private static final int NONE = -1;
    /** As the state word of a frame has room for. */
    private static final int GENERATIONS = 0xFFFF;
    /** The number of the only file. */
    private static final int FILE = 0;

    private final ReplacementPolicy policy;
    private final boolean tracksAccesses;
    private final int weightCap;
    /** By page. */
    private final int[] frameOf;
    /** By frame. */
    private final int[] pageIn;

    private final int[] weights;
    private final int[] generations;
    private int used;
    private int claimed = NONE;
    private long framesScanned;

    /**
     * Makes an empty pool.
     *
     * @param policy for as many frames
     * @param pages the number of different pages
     */
    PolicyPool(ReplacementPolicy policy, int frames, int pages) {
        this.policy = policy;
        this.tracksAccesses = policy.tracksAccesses();
        this.weightCap = policy.weightCap();
        this.frameOf = new int[pages];
        this.pageIn = new int[frames];
        this.weights = new int[frames];
        this.generations = new int[frames];
        Arrays.fill(frameOf, NONE);
    }

    @Override
    public boolean reference(int page) {
        int frame = frameOf[page];
        if (frame == NONE) {
            load(page);
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

    private void load(int page) {
        long identity = PageId.of(FILE, page);
        int frame = used < pageIn.length ? used++ : evict(identity);
        pageIn[frame] = page;
        frameOf[page] = frame;
        weights[frame] = Math.min(1, weightCap);
        generations[frame] = (generations[frame] + 1) & GENERATIONS;
        policy.onLoad(frame, identity, generations[frame]);
    }

    private int evict(long incomingIdentity) {
        int victim = policy.evict(incomingIdentity, this);
        if (victim == NONE || victim != claimed) {
            throw new IllegalStateException("the policy gave frame " + victim + " as its victim and claimed frame "
                    + claimed + ", of " + pageIn.length + " unused frames");
        }
        claimed = NONE;
        frameOf[pageIn[victim]] = NONE;
        return victim;
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        framesScanned++;
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
    public boolean tryClaim(int frame) {
        framesScanned++;
        if (claimed != NONE) {
            return false;
        }
        claimed = frame;
        return true;
    }

    @Override
    public long framesScanned() {
        return framesScanned;
    }
}
