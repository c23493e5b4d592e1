// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** One frame whose buffer holds page A, in two numbers; it is read without a pin while the buffer gets page B. */
abstract class OptimisticRead {
    static final int A = 1;
    static final int B = 2;

    /** Plain: the bytes of the buffer. */
    int left = A;

    int right = A;

    /** Reads what page A says, if it is there, and checks it. */
    final String read() {
        long version = version();
        if (version < 0 || !isLoaded(A)) {
            return "gone";
        }
        int seenLeft = left;
        int seenRight = right;
        if (!isUnchanged(version)) {
            return "retry";
        }
        return seenLeft == A && seenRight == A ? "A" : "not A";
    }

    /** Throws page A out, and reads page B into its buffer. */
    final void reuse() {
        renew();
        left = B;
        right = B;
        load(B);
    }

    abstract long version();

    abstract boolean isLoaded(int page);

    abstract boolean isUnchanged(long version);

    /** Claims the frame; from now on nothing is loaded, and reads that have begun fail. */
    abstract void renew();

    /** Publishes the buffer as that of the page. */
    abstract void load(int page);
}
