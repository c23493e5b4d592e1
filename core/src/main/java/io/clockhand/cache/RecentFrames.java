// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * In which frames a thread has kept holders last, so that a release need not look its key up.
 *
 * <p>A hint and nothing more: who reads one must check that the frame still holds what it seeks. A thread shares its
 * stripe with the threads whose ids are equal modulo the number of stripes; they may overwrite its hints at any moment.
 * All accesses are plain. A word holds two frame numbers, each of them of a frame that exists, or 0; if a JVM writes
 * its halves one after the other, that still holds.
 *
 * <p>No thread-local: virtual threads come by the million, and a stripe belongs to nobody.
 */
final class RecentFrames {
    /** Longs from one stripe to the next: two cache lines, since processors fetch them in pairs. */
    private static final int STRIDE = 16;

    private static final int MOST_STRIPES = 256;

    private final long[] words;
    private final int mask;

    RecentFrames() {
        int processors = Runtime.getRuntime().availableProcessors();
        int stripes = Integer.highestOneBit(Math.min(MOST_STRIPES, 8 * processors));
        this.words = new long[(stripes + 1) * STRIDE];
        this.mask = stripes - 1;
    }

    /** {@return where the calling thread's word is} */
    int stripe() {
        return (((int) Thread.currentThread().getId() & mask) + 1) * STRIDE;
    }

    /** Notes that the calling thread keeps what is in a frame. */
    void push(int frame) {
        int stripe = stripe();
        words[stripe] = words[stripe] << 32 | frame;
    }

    /** {@return the two frames noted last, the last in the lower half} */
    long word(int stripe) {
        return words[stripe];
    }

    /** Takes the last note off, so that the one before it is not forgotten for the next one. */
    void pop(int stripe, long word) {
        words[stripe] = word >>> 32;
    }
}
