// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import java.util.Arrays;

/**
 * The best that any policy can do that must frame every page it refers to: the victim is the page whose next reference
 * is the farthest away. It knows the whole sequence from the start, so it is no policy for production, but the ceiling
 * for those that are.
 *
 * <p>A page that is here and comes again is known by the position of its next reference, which no other page shares; so
 * the pages are a set of positions, and the victim is the last of them. Pages that never come again go before all
 * others.
 *
 * <p>Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2),
 * 1966.
 */
final class OptimalPool implements SimulatedPool {
    private final int frames;
    private final int[] sequence;
    /** By position: that of the next reference to the same page, or the length of the sequence. */
    private final int[] next;

    private final boolean[] here;
    private final Positions coming;
    /** Pages that are here and never come again; which they are does not matter. */
    private int finished;

    private int used;
    private int now;

    /**
     * Makes an empty pool.
     *
     * @param pages how many different pages there are
     * @param sequence all that will be referred to, in this order; it is not changed
     */
    OptimalPool(int frames, int pages, int[] sequence) {
        this.frames = frames;
        this.sequence = sequence;
        this.next = nextReferences(pages, sequence);
        this.here = new boolean[pages];
        this.coming = new Positions(sequence.length);
    }

    private static int[] nextReferences(int pages, int[] sequence) {
        int[] next = new int[sequence.length];
        int[] seen = new int[pages];
        Arrays.fill(seen, sequence.length);
        for (int i = sequence.length - 1; i >= 0; i--) {
            next[i] = seen[sequence[i]];
            seen[sequence[i]] = i;
        }
        return next;
    }

    @Override
    public boolean reference(int key) {
        int page = key < 0 ? ~key : key;
        if (page != sequence[now]) {
            throw new IllegalArgumentException(
                    "reference " + now + " was to be to page " + sequence[now] + ", not " + page);
        }
        boolean hit = here[page];
        if (hit) {
            coming.remove(now);
        } else if (used < frames) {
            used++;
        } else {
            evict();
        }
        here[page] = true;
        if (next[now] < sequence.length) {
            coming.add(next[now]);
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
            int farthest = coming.last();
            coming.remove(farthest);
            here[sequence[farthest]] = false;
        }
    }

    /** All zero: it does not search, and ignores dirt. */
    @Override
    public Counts counts() {
        return new Counts(0, 0, 0);
    }
}
