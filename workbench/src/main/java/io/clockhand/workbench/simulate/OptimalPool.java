// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.simulate.Simulation.SimulatedPool;
import java.util.ArrayList;
import java.util.List;

/**
 * The best that any policy can do that must frame every page it refers to: the victim is the page whose next reference
 * is the farthest away. It knows the whole sequence from the start, so it is no policy for production, but the ceiling
 * for those that are.
 *
 * <p>A page that is here and comes again is known by the position of its next reference, which no other page shares; so
 * the pages are a set of positions, and the victim is the last of them: nobody need know whose it is. A reference is a
 * hit if its own position is in the set. Pages that never come again go before all others.
 *
 * <p>Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2),
 * 1966.
 */
final class OptimalPool implements SimulatedPool {
    private final int frames;
    private final Lookahead lookahead;
    /** By page: the position of its next reference. */
    private final int[] due;

    private final Positions coming;
    /** Pages that are here and never come again; which they are does not matter. */
    private int finished;

    private int used;
    private int now;

    OptimalPool(int frames, Lookahead lookahead) {
        this.frames = frames;
        this.lookahead = lookahead;
        this.due = lookahead.first().clone();
        this.coming = new Positions(lookahead.length());
    }

    @Override
    public boolean reference(int key) {
        int page = key < 0 ? ~key : key;
        if (due[page] != now) {
            throw new IllegalArgumentException("reference " + now + " is to page " + page + ", which was not foreseen");
        }
        boolean hit = coming.contains(now);
        if (hit) {
            coming.remove(now);
        } else if (used < frames) {
            used++;
        } else {
            evict();
        }
        due[page] = lookahead.next()[now];
        if (due[page] != Lookahead.NEVER) {
            coming.add(due[page]);
        } else {
            finished++;
        }
        now++;
        return hit;
    }

    private void evict() {
        if (finished > 0) {
            finished--;
        } else {
            coming.remove(coming.last());
        }
    }

    /** All zero: it does not search, and ignores dirt. */
    @Override
    public Counts counts() {
        return new Counts(0, 0, 0);
    }

    /**
     * A set of positions in a sequence that can be asked for its last one: a bit for each position, above that a bit
     * for each word that is not empty, and so on up to one word. Every step touches a word of each level at most. Not
     * thread-safe.
     */
    static final class Positions {
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
}
