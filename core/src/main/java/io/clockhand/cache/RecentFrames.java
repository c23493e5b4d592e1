// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * The frames in which a thread has pinned holders last, so that a release need not look up the key.
 *
 * <p>Hints and nothing more: a reader must check that the frame still holds its holder. A thread shares its stripe with
 * the threads whose ids are equal modulo the number of stripes; they may overwrite its hints at any moment. All
 * accesses are plain. A hint is 0 or the number of a frame, which may be so new that the reader does not see its holder
 * yet.
 *
 * <p>The stripe also counts the hits that its threads found in the table, for {@link #isTurn}.
 *
 * <p>The array is a parameter, since a hit that has loaded it before its atomic operation need not load it again.
 *
 * <p>No thread-local: there may be millions of virtual threads, and a stripe is not bound to a thread.
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

    /** {@return an array for the hints of all stripes} */
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

    /** Notes a frame in which the thread of the stripe has pinned a holder. */
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

    /** Removes the last note, so that the next one does not displace the one before it. */
    static void pop(int[] hints, int stripe) {
        hints[stripe] = hints[stripe + 1];
    }
}
