// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.PageId;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The page pool as a policy sees it, without the pages: the same calls in the same order as one thread makes them
 * there, and the same weights. So the hits are those of the pool. Not thread-safe.
 *
 * <p>Frames that were never used are filled in the order of their numbers. A page comes with weight 1, if the policy
 * keeps weights, and a hit adds one up to the policy's cap. None is pinned when a victim is sought.
 *
 * <p>A write makes its page dirty. As in the pool, a dirty frame is no victim: the first search that meets it with no
 * weight left, or to claim it, queues it for the cleaner, and the answer is DIRTY until it has been written. A page
 * that is written again meanwhile stays dirty.
 *
 * <p>The cleaner writes dirty frames in the order in which searches met them. Its time is counted in misses, and a
 * write takes the same time whatever else is written, so writes end in the order in which they begin. Between two
 * misses it ends and begins writes. A miss that finds no victim waits for the oldest write.
 */
final class PolicyPool implements Claims {
    private static final int NONE = -1;
    /** As the state word of a frame has room for. */
    private static final int GENERATIONS = 0xFFFF;
    /** The least number of writes at once of an adaptive cleaner. */
    private static final int FEWEST_WRITES = 4;

    /** Marks of a frame. */
    private static final byte DIRTY = 1;

    private static final byte QUEUED = 2;

    private final ReplacementPolicy policy;
    private final boolean tracksAccesses;
    private final int weightCap;
    private final Speed speed;
    /** By page. */
    private final int[] frameOf;
    /** By frame. */
    private final int[] pageIn;

    private final int[] weights;
    private final int[] generations;
    private final byte[] marks;
    private final Deque<Integer> queued = new ArrayDeque<>();
    private final Deque<Write> inFlight = new ArrayDeque<>();
    /** In misses. */
    private long now;

    private int used;
    private int claimed = NONE;
    private long framesScanned;
    private long writes;
    private long readStalls;

    /**
     * How fast the cleaner writes.
     *
     * @param writeTime the misses that pass while a page is written
     * @param inFlight the most writes at once; {@link #ADAPTIVE} for half of the frames that are queued or being
     *     written, and at least four
     */
    record Speed(int writeTime, int inFlight) {
        static final int ADAPTIVE = 0;
    }

    private record Write(int frame, long end) {}

    /**
     * The work of a pool.
     *
     * @param framesScanned in search of victims
     * @param writes begun writes of dirty pages
     * @param readStalls misses that waited for a write, since no frame was clean
     */
    record Counts(long framesScanned, long writes, long readStalls) {}

    /**
     * Makes an empty pool.
     *
     * @param policy for as many frames
     * @param pages the number of different pages
     */
    PolicyPool(ReplacementPolicy policy, int frames, int pages, Speed speed) {
        this.policy = policy;
        this.tracksAccesses = policy.tracksAccesses();
        this.weightCap = policy.weightCap();
        this.speed = speed;
        this.frameOf = new int[pages];
        this.pageIn = new int[frames];
        this.weights = new int[frames];
        this.generations = new int[frames];
        this.marks = new byte[frames];
        Arrays.fill(frameOf, NONE);
    }

    /**
     * Refers to a page; returns whether it was resident.
     *
     * @param key a number from 0; or its complement, which is negative, of a write
     */
    boolean reference(int key) {
        if (key >= 0) {
            return fix(key);
        }
        boolean hit = fix(~key);
        marks[frameOf[~key]] |= DIRTY;
        return hit;
    }

    private boolean fix(int page) {
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
        now++;
        endWrites();
        long identity = PageId.of(0, page);
        int frame = used < pageIn.length ? used++ : evict(identity);
        pageIn[frame] = page;
        frameOf[page] = frame;
        weights[frame] = Math.min(1, weightCap);
        generations[frame] = (generations[frame] + 1) & GENERATIONS;
        policy.onLoad(frame, identity, generations[frame]);
    }

    private int evict(long incomingIdentity) {
        int victim = search(incomingIdentity);
        if (victim == NONE && !inFlight.isEmpty()) {
            readStalls++;
        }
        while (victim == NONE && !inFlight.isEmpty()) {
            now = Math.max(now, inFlight.element().end());
            endWrites();
            victim = search(incomingIdentity);
        }
        if (victim == NONE || victim != claimed) {
            throw new IllegalStateException("the policy gave frame " + victim + " as its victim and claimed frame "
                    + claimed + ", of " + pageIn.length + " unused frames");
        }
        claimed = NONE;
        frameOf[pageIn[victim]] = NONE;
        return victim;
    }

    private int search(long incomingIdentity) {
        int victim = policy.evict(incomingIdentity, this);
        beginWrites();
        return victim;
    }

    private void endWrites() {
        while (!inFlight.isEmpty() && inFlight.element().end() <= now) {
            int frame = inFlight.remove().frame();
            marks[frame] &= ~QUEUED;
            policy.onClean(frame);
        }
        beginWrites();
    }

    /** A page that is changed after its write has begun is dirty again. */
    private void beginWrites() {
        int most = speed.inFlight() == Speed.ADAPTIVE
                ? Math.max(FEWEST_WRITES, (queued.size() + inFlight.size()) / 2)
                : speed.inFlight();
        while (!queued.isEmpty() && inFlight.size() < most) {
            int frame = queued.remove();
            inFlight.add(new Write(frame, now + speed.writeTime()));
            marks[frame] &= ~DIRTY;
            writes++;
        }
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        if (claimed == NONE && weights[frame] > 1 && marks[frame] < QUEUED) {
            return age(frame);
        }
        Outcome outcome = claim(frame);
        if (outcome == Outcome.CLAIMED) {
            weights[frame] = 0;
        }
        return outcome;
    }

    @Override
    public Outcome age(int frame) {
        framesScanned++;
        if (weights[frame] <= 1) {
            return Outcome.SPENT;
        }
        weights[frame]--;
        return Outcome.AGED;
    }

    @Override
    public boolean tryClaim(int frame) {
        return claim(frame) == Outcome.CLAIMED;
    }

    @Override
    public Outcome claim(int frame) {
        framesScanned++;
        if (claimed != NONE) {
            return Outcome.SKIPPED;
        }
        if (marks[frame] == 0) {
            claimed = frame;
            return Outcome.CLAIMED;
        }
        if (marks[frame] < QUEUED) {
            marks[frame] |= QUEUED;
            queued.add(frame);
        }
        return Outcome.DIRTY;
    }

    /** Since they were last {@linkplain #resetCounts reset}. */
    Counts counts() {
        return new Counts(framesScanned, writes, readStalls);
    }

    void resetCounts() {
        framesScanned = 0;
        writes = 0;
        readStalls = 0;
    }
}
