// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

/**
 * The cleaner and its device: dirty frames are written in the order in which searches for a victim met them. The time
 * is counted in misses. Not thread-safe.
 *
 * <p>A write takes the same time whatever else is written, so writes end in the order in which they begin. There are at
 * most as many writes in flight as the speed allows; so the pages written per miss are the writes in flight divided by
 * the time of a write.
 */
final class CleanerModel {
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

    /**
     * Makes a cleaner without work.
     *
     * @param frames of the pool, each of which is in the queue at most once
     */
    CleanerModel(Speed speed, int frames) {
        this.speed = speed;
        this.frames = new int[frames];
        this.ends = new long[frames];
    }

    /** Queues a frame. */
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

    /** Begins to write the frame that has waited longest; returns it, or NONE if none waits or no write may begin. */
    int beginWrite() {
        if (inFlight == length || inFlight >= speed.inFlight(length)) {
            return NONE;
        }
        int place = place(inFlight);
        ends[place] = now + speed.writeTime();
        inFlight++;
        return frames[place];
    }

    /** Whether a frame is being written. */
    boolean isWriting() {
        return inFlight > 0;
    }
}
