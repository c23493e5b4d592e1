// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.util.Arrays;

/** Ints that are added one after the other. Not thread-safe. */
final class IntSequence {
    private int[] ints = new int[1 << 12];
    private int length;

    void add(int value) {
        if (length == ints.length) {
            ints = Arrays.copyOf(ints, (int) Math.min(2L * length, Integer.MAX_VALUE - 8));
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
