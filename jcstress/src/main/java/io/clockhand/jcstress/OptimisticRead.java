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
        if (!begin(A)) {
            return "gone";
        }
        int seenLeft = left;
        int seenRight = right;
        if (!isUnchanged()) {
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

    /** Takes the version, and makes sure that the page is there and not being written. */
    abstract boolean begin(int page);

    abstract boolean isUnchanged();

    /** Claims the frame; from now on nothing is loaded, and reads that have begun fail. */
    abstract void renew();

    /** Raises both numbers of the page under an exclusive latch. */
    final void write() {
        latch();
        left++;
        right++;
        unlatch();
    }

    /** Reads both numbers, and checks them. */
    final String readPair() {
        if (!begin(A)) {
            return "gone";
        }
        int seenLeft = left;
        int seenRight = right;
        if (!isUnchanged()) {
            return "retry";
        }
        return seenLeft == seenRight ? "equal" : "torn";
    }

    abstract void latch();

    abstract void unlatch();

    /** Publishes the buffer as that of the page. */
    abstract void load(int page);
}
