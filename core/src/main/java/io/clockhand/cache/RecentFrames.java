// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * In which frames a thread has kept holders last, so that a release need not look its key up.
 *
 * <p>A hint and nothing more: who reads one must check that the frame still holds what it seeks. A thread shares its
 * stripe with the threads whose ids are equal modulo the number of stripes; they may overwrite its hints at any moment.
 * All accesses are plain. A hint is 0 or the number of a frame, which may be so new that the reader does not see its
 * holder yet.
 *
 * <p>Beside them the stripe counts what its threads found in the table, for {@link #isTurn}.
 *
 * <p>The array is passed in, since a hit that has loaded it before its atomic operation need not load it again.
 *
 * <p>No thread-local: virtual threads come by the million, and a stripe belongs to nobody.
 */
final class RecentFrames {
    /** Ints from one stripe to the next: two cache lines, since processors fetch them in pairs. */
    private static final int STRIDE = 32;

    private static final int CALLS = 2;
    private static final int TURN = 16;
    private static final int MOST_STRIPES = 256;
    private static final int STRIPES = Integer.highestOneBit(
            Math.min(MOST_STRIPES, 8 * Runtime.getRuntime().availableProcessors()));

    private RecentFrames() {}

    /** {@return room for the hints of all stripes} */
    static int[] create() {
        return new int[(STRIPES + 1) * STRIDE];
    }

    /** {@return where the hints of the calling thread are} */
    static int stripe() {
        return (((int) Thread.currentThread().getId() & (STRIPES - 1)) + 1) * STRIDE;
    }

    /** {@return true about once in sixteen calls by the threads of the stripe} */
    static boolean isTurn(int[] hints, int stripe) {
        return (++hints[stripe + CALLS] & (TURN - 1)) == 0;
    }

    /** Notes that the thread of the stripe keeps what is in a frame. */
    static void push(int[] hints, int stripe, int frame) {
        hints[stripe + 1] = hints[stripe];
        hints[stripe] = frame;
    }

    /** {@return the frame noted last} */
    static int last(int[] hints, int stripe) {
        return hints[stripe];
    }

    /** {@return the frame noted before the last} */
    static int beforeLast(int[] hints, int stripe) {
        return hints[stripe + 1];
    }

    /** Takes the last note off, so that the one before it is not forgotten for the next one. */
    static void pop(int[] hints, int stripe) {
        hints[stripe] = hints[stripe + 1];
    }
}
