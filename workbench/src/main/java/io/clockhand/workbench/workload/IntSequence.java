// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.util.Arrays;

/** Ints that are added one after the other. Not thread-safe. */
final class IntSequence {
    /** Of arrays that every JVM can make; a longer one is too much for its memory. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private int[] ints = new int[1 << 12];
    private int length;

    void add(int value) {
        if (length == ints.length) {
            ints = Arrays.copyOf(ints, length < LONGEST ? (int) Math.min(2L * length, LONGEST) : Integer.MAX_VALUE);
        }
        ints[length++] = value;
    }

    int length() {
        return length;
    }

    int[] toArray() {
        return Arrays.copyOf(ints, length);
    }
}
