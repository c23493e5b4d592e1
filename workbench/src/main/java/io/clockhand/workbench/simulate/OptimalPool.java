// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The best that any policy can do that must frame every page it refers to: the victim is the page whose next reference
 * is the farthest away. It knows the whole sequence from the start, so it is no policy for production, but the ceiling
 * for those that are. It ignores dirt. Not thread-safe.
 *
 * <p>A resident page that comes again is known by the position of its next reference, which no other page shares. So a
 * reference is a hit if its own position is in the set, and the victim is the last of the set. Pages that never come
 * again go before all others. The set takes some 60 bytes for each frame.
 *
 * <p>Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2),
 * 1966.
 */
final class OptimalPool {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int SHORTEST_ARRAY = 1 << 16;
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final int frames;
    private final int[] lookahead;
    /** The positions of the next references to resident pages. */
    private final TreeSet<Integer> coming = new TreeSet<>();
    /** Resident pages that never come again; which they are does not matter. */
    private int finished;

    private int now;

    /** Makes an empty pool for the sequence of this {@linkplain #lookahead lookahead}. */
    OptimalPool(int frames, int[] lookahead) {
        this.frames = frames;
        this.lookahead = lookahead;
    }

    /** Refers to the next page of the sequence; returns whether it was resident. */
    boolean reference() {
        boolean hit = coming.remove(now);
        if (!hit && coming.size() + finished == frames) {
            if (finished > 0) {
                finished--;
            } else {
                coming.pollLast();
            }
        }
        int next = lookahead[now++];
        if (next == NEVER) {
            finished++;
        } else {
            coming.add(next);
        }
        return hit;
    }

    /**
     * By position in the sequence, warm-up included: that of the next reference to the same page, or {@link #NEVER}. It
     * has four bytes for each reference that is simulated: of a sample, for those to its pages.
     */
    static int[] lookahead(Cell cell) {
        Play play = cell.play();
        if (play.sample() == null && play.allReferences() > LONGEST_ARRAY) {
            throw tooLong(play.allReferences());
        }
        int[] next = new int[play.sample() == null ? (int) play.allReferences() : SHORTEST_ARRAY];
        int[] last = new int[play.simulatedPages()];
        Arrays.fill(last, -1);
        int position = 0;
        for (Turns turns : List.of(cell.warmup(), cell.counted())) {
            for (long left = turns.count(); left > 0; left--) {
                int page = play.simulatedPage(turns.next());
                if (page == Sample.SKIPPED) {
                    continue;
                }
                if (position == LONGEST_ARRAY) {
                    throw tooLong(play.allReferences());
                }
                if (position == next.length) {
                    next = Arrays.copyOf(next, (int) Math.min(2L * position, LONGEST_ARRAY));
                }
                page = page < 0 ? ~page : page;
                if (last[page] >= 0) {
                    next[last[page]] = position;
                }
                next[position] = NEVER;
                last[page] = position++;
            }
        }
        return next;
    }

    private static CommandFailure tooLong(long references) {
        return new CommandFailure(Settings.OPTIMUM + " needs all references in memory, and " + references
                + " are too many; ask for fewer by --accesses, or leave it out");
    }

    /** Makes lookaheads, and keeps the last one, which the next simulation often needs, too. Thread-safe. */
    static final class Lookaheads {
        private Play play;
        private int threads;
        private int[] latest;

        synchronized int[] of(Cell cell) {
            if (!cell.play().equals(play) || cell.threads() != threads) {
                latest = null; // before the next one is made, so that only one is in memory
                latest = lookahead(cell);
                play = cell.play();
                threads = cell.threads();
            }
            return latest;
        }
    }
}
