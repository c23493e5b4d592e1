// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * In which frames a thread has kept holders last, so that a release need not look its key up.
 *
 * <p>A hint and nothing more: who reads one must check that the frame still holds what it seeks. A thread shares its
 * stripe with the threads whose ids are equal modulo the number of stripes; they may overwrite its hints at any moment.
 * All accesses are plain. A hint is 0 or the number of a frame, which may be so new that the reader does not see its
 * binding yet.
 *
 * <p>No thread-local: virtual threads come by the million, and a stripe belongs to nobody.
 */
final class RecentFrames {
    /** Ints from one stripe to the next: two cache lines, since processors fetch them in pairs. */
    private static final int STRIDE = 32;

    private static final int MOST_STRIPES = 256;

    private final int[] hints;
    private final int mask;

    RecentFrames() {
        int processors = Runtime.getRuntime().availableProcessors();
        int stripes = Integer.highestOneBit(Math.min(MOST_STRIPES, 8 * processors));
        this.hints = new int[(stripes + 1) * STRIDE];
        this.mask = stripes - 1;
    }

    /** {@return where the hints of the calling thread are} */
    int stripe() {
        return (((int) Thread.currentThread().getId() & mask) + 1) * STRIDE;
    }

    /** Notes that the thread of the stripe keeps what is in a frame. */
    void push(int stripe, int frame) {
        hints[stripe + 1] = hints[stripe];
        hints[stripe] = frame;
    }

    /** {@return the frame noted last} */
    int last(int stripe) {
        return hints[stripe];
    }

    /** {@return the frame noted before the last} */
    int beforeLast(int stripe) {
        return hints[stripe + 1];
    }

    /** Takes the last note off, so that the one before it is not forgotten for the next one. */
    void pop(int stripe) {
        hints[stripe] = hints[stripe + 1];
    }
}
