// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of positions in a sequence that can be asked for its last one: a bit for each position, above that a bit for
 * each word that is not empty, and so on up to one word. Every step touches a word of each level at most. Not
 * thread-safe.
 */
final class Positions {
    private static final int WORD_BITS = 6;

    /** From the positions up to a level of one word. */
    private final long[][] levels;

    /** Makes an empty set of positions less than {@code limit}. */
    Positions(int limit) {
        List<long[]> built = new ArrayList<>();
        int bits = limit;
        do {
            bits = ((bits - 1) >>> WORD_BITS) + 1;
            built.add(new long[bits]);
        } while (bits > 1);
        levels = built.toArray(new long[0][]);
    }

    void add(int position) {
        int bit = position;
        for (long[] level : levels) {
            int word = bit >>> WORD_BITS;
            boolean known = level[word] != 0;
            level[word] |= 1L << bit;
            if (known) {
                return;
            }
            bit = word;
        }
    }

    boolean contains(int position) {
        return (levels[0][position >>> WORD_BITS] >>> position & 1) != 0;
    }

    void remove(int position) {
        int bit = position;
        for (long[] level : levels) {
            int word = bit >>> WORD_BITS;
            level[word] &= ~(1L << bit);
            if (level[word] != 0) {
                return;
            }
            bit = word;
        }
    }

    /** The greatest position in the set, which must not be empty. */
    int last() {
        int word = 0;
        for (int i = levels.length - 1; i >= 0; i--) {
            word = (word << WORD_BITS) + Long.SIZE - 1 - Long.numberOfLeadingZeros(levels[i][word]);
        }
        return word;
    }
}
