// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.PageId;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.simulate.Simulation.SimulatedPool;
import java.util.Arrays;

/**
 * The page pool as a policy sees it, without the pages: the same calls in the same order as one thread makes them
 * there, and the same weights. So the hits are those of the pool.
 *
 * <p>Frames that were never used are filled in the order of their numbers. A page comes with weight 1, if the policy
 * keeps weights, and a hit adds one up to the policy's cap. None is pinned when a victim is sought.
 *
 * <p>A write makes its page dirty. As in the pool, a dirty frame is no victim: the first search that meets it with no
 * weight left, or to claim it, queues it for the cleaner, and the answer is DIRTY until it has been written. A page
 * that is written again meanwhile stays dirty. Between two misses the cleaner ends and begins writes. A miss that finds
 * no victim waits for one of them.
 */
final class PolicyPool implements SimulatedPool, Claims {
    private static final int NONE = -1;
    /** As the state word of a frame has room for. */
    private static final int GENERATIONS = 0xFFFF;
    /** The number of the only file. */
    private static final int FILE = 0;

    /** Marks of a frame. */
    private static final byte DIRTY = 1;

    private static final byte QUEUED = 2;

    private final ReplacementPolicy policy;
    private final boolean tracksAccesses;
    private final int weightCap;
    /** By page. */
    private final int[] frameOf;
    /** By frame. */
    private final int[] pageIn;

    private final int[] weights;
    private final int[] generations;
    private final byte[] marks;
    private final CleanerModel cleaner;
    private int used;
    private int claimed = NONE;
    private long framesScanned;
    private long writes;
    private long readStalls;

    /**
     * Makes an empty pool.
     *
     * @param policy for as many frames
     * @param pages the number of different pages
     * @param speed of the cleaner
     */
    PolicyPool(ReplacementPolicy policy, int frames, int pages, CleanerModel.Speed speed) {
        this.policy = policy;
        this.tracksAccesses = policy.tracksAccesses();
        this.weightCap = policy.weightCap();
        this.frameOf = new int[pages];
        this.pageIn = new int[frames];
        this.weights = new int[frames];
        this.generations = new int[frames];
        this.marks = new byte[frames];
        this.cleaner = new CleanerModel(speed, frames);
        Arrays.fill(frameOf, NONE);
    }

    @Override
    public boolean reference(int key) {
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
        cleaner.pass();
        endWrites();
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
        beginWrites();
        if (victim == NONE && cleaner.isWriting()) {
            readStalls++;
            do {
                cleaner.awaitOldest();
                endWrites();
                victim = policy.evict(incomingIdentity, this);
                beginWrites();
            } while (victim == NONE && cleaner.isWriting());
        }
        if (victim == NONE || victim != claimed) {
            throw new IllegalStateException("the policy gave frame " + victim + " as its victim and claimed frame "
                    + claimed + ", of " + pageIn.length + " unused frames");
        }
        claimed = NONE;
        frameOf[pageIn[victim]] = NONE;
        return victim;
    }

    /** Also begins those that this leaves a place for. */
    private void endWrites() {
        for (int frame = cleaner.endWrite(); frame != NONE; frame = cleaner.endWrite()) {
            marks[frame] &= ~QUEUED;
            policy.onClean(frame);
        }
        beginWrites();
    }

    /** A page that is changed after its write has begun is dirty again. */
    private void beginWrites() {
        for (int frame = cleaner.beginWrite(); frame != NONE; frame = cleaner.beginWrite()) {
            marks[frame] &= ~DIRTY;
            writes++;
        }
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        framesScanned++;
        if (claimed != NONE) {
            return Outcome.SKIPPED;
        }
        if (weights[frame] > 1 && marks[frame] < QUEUED) {
            weights[frame]--;
            return Outcome.AGED;
        }
        if (marks[frame] != 0) {
            return queued(frame);
        }
        weights[frame] = 0;
        claimed = frame;
        return Outcome.CLAIMED;
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
        if (marks[frame] != 0) {
            return queued(frame);
        }
        claimed = frame;
        return Outcome.CLAIMED;
    }

    private Outcome queued(int frame) {
        if (marks[frame] < QUEUED) {
            marks[frame] |= QUEUED;
            cleaner.add(frame);
        }
        return Outcome.DIRTY;
    }

    @Override
    public Counts counts() {
        return new Counts(framesScanned, writes, readStalls);
    }

    /**
     * The cleaner and its device: dirty frames are written in the order in which searches for a victim met them. The
     * time is counted in misses. Not thread-safe.
     *
     * <p>A write takes the same time whatever else is written, so writes end in the order in which they begin. There
     * are at most as many writes in flight as the speed allows; so the pages written per miss are the writes in flight
     * divided by the time of a write.
     */
    static final class CleanerModel {
        static final int NONE = -1;

        /**
         * How fast the cleaner writes.
         *
         * @param writeTime the misses that pass while a page is written, 0 for none
         * @param inFlight the most writes at once; {@link #ADAPTIVE} for half of the backlog, and at least four
         */
        record Speed(int writeTime, int inFlight) {
            static final int ADAPTIVE = 0;

            private static final int FEWEST = 4;

            private int inFlight(int backlog) {
                return inFlight == ADAPTIVE ? Math.max(FEWEST, backlog / 2) : inFlight;
            }
        }

        private final Speed speed;
        /** A ring of the frames that are queued: first those that are being written, then those that wait. */
        private final int[] frames;
        /** By place in the ring: when the write ends. */
        private final long[] ends;

        private int first;
        private int length;
        private int inFlight;
        private long now;

        /** Without work; each of the frames of the pool is in the queue at most once. */
        CleanerModel(Speed speed, int frames) {
            this.speed = speed;
            this.frames = new int[frames];
            this.ends = new long[frames];
        }

        void add(int frame) {
            frames[place(length)] = frame;
            length++;
        }

        private int place(int offset) {
            int place = first + offset - frames.length;
            return place < 0 ? place + frames.length : place;
        }

        /** Another miss has passed. */
        void pass() {
            now++;
        }

        /** Lets time pass until the oldest write ends; there must be one in flight. */
        void awaitOldest() {
            now = Math.max(now, ends[first]);
        }

        /** Ends a write whose time has passed; returns its frame, or NONE. */
        int endWrite() {
            if (inFlight == 0 || ends[first] > now) {
                return NONE;
            }
            int frame = frames[first];
            first = place(1);
            inFlight--;
            length--;
            return frame;
        }

        /**
         * Begins to write the frame that has waited longest; returns it, or NONE if none waits or no write may
         * begin.
         */
        int beginWrite() {
            if (inFlight == length || inFlight >= speed.inFlight(length)) {
                return NONE;
            }
            int place = place(inFlight);
            ends[place] = now + speed.writeTime();
            inFlight++;
            return frames[place];
        }

        boolean isWriting() {
            return inFlight > 0;
        }
    }
}
