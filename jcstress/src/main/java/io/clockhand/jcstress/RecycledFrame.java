// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/**
 * Page A lies in frame 0, behind page B in frame 1, in one chain of the table. Frame 1 goes to page C in another chain.
 * Page D may lie in front of both: then B is taken out of the middle.
 */
abstract class RecycledFrame {
    static final int A = 0;
    static final int B = 1;
    static final int C = 2;
    static final int D = 3;
    static final int NONE = -1;

    /** Which page each of the two frames is bound to. */
    final java.util.concurrent.atomic.AtomicIntegerArray bound = new java.util.concurrent.atomic.AtomicIntegerArray(3);

    private final boolean inTheMiddle;

    RecycledFrame(boolean inTheMiddle) {
        this.inTheMiddle = inTheMiddle;
    }

    /** Puts A and B, and perhaps D, into their chain. */
    final void fill() {
        bound.set(0, A);
        putIfAbsent(A, 0);
        bound.set(1, B);
        putIfAbsent(B, 1);
        if (inTheMiddle) {
            bound.set(2, D);
            putIfAbsent(D, 2);
        }
    }

    /** {@return where A is; it is there all the time} */
    final int findA() {
        return find(A);
    }

    /** Takes B out and uses its frame for C at once. */
    final void recycle() {
        remove(B, 1);
        bound.set(1, C);
        putIfAbsent(C, 1);
    }

    abstract int find(int page);

    abstract int putIfAbsent(int page, int frame);

    abstract void remove(int page, int frame);
}
