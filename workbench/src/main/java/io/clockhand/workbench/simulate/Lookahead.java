// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * The next reference to each page, which the optimum knows. Not changed once it is made, so all simulations of the
 * optimum on this sequence share it.
 */
final class Lookahead {
    /** By position: that of the next reference to the same page, or the length of the sequence. */
    private final int[] next;
    /** By page: the position of its first reference, or the length of the sequence. */
    private final int[] first;

    /**
     * Reads the sequence once.
     *
     * @param pages how many different pages there are
     * @param sequence the page of each reference in turn, or its complement
     */
    Lookahead(int pages, int length, IntSupplier sequence) {
        next = new int[length];
        first = new int[pages];
        Arrays.fill(next, length);
        Arrays.fill(first, length);
        int[] last = new int[pages];
        for (int i = 0; i < length; i++) {
            int key = sequence.getAsInt();
            int page = key < 0 ? ~key : key;
            if (first[page] == length) {
                first[page] = i;
            } else {
                next[last[page]] = i;
            }
            last[page] = i;
        }
    }

    int length() {
        return next.length;
    }

    int next(int position) {
        return next[position];
    }

    /** By page; the caller may change it. */
    int[] firstReferences() {
        return first.clone();
    }
}
