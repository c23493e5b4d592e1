// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/**
 * One frame whose buffer holds page A, in two numbers; it is read without a pin, while another thread wants the buffer
 * for page B.
 */
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

    /** Reads what page A says, if it is there and can be shared. */
    final String readShared() {
        if (!begin(A) || !tryShare()) {
            return "gone";
        }
        int seenLeft = left;
        int seenRight = right;
        endShare();
        return seenLeft == A && seenRight == A ? "A" : "not A";
    }

    /** Evicts page A, if no thread shares it, and reads page B into its buffer. */
    final String reuse() {
        if (!tryClose()) {
            return "stayed";
        }
        left = B;
        right = B;
        load(B);
        return "reused";
    }

    /** Takes the version, and makes sure that the page is there and not being written. */
    abstract boolean begin(int page);

    abstract boolean isUnchanged();

    /** Takes a share after {@link #begin}; false if that is not to be had, or the page has gone. */
    abstract boolean tryShare();

    abstract void endShare();

    /** Claims the frame, if no thread shares it; from now on nothing is loaded, and reads that have begun fail. */
    abstract boolean tryClose();

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
