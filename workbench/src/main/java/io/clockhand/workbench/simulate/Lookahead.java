// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The next reference to each page, which the optimum knows. Not changed once it is made, so all simulations of the
 * optimum on this sequence share it.
 *
 * @param next by position: that of the next reference to the same page, or {@link #NEVER}
 * @param first by page: the position of its first reference, or {@link #NEVER}
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Lookahead(int[] next, int[] first) {
    static final int NEVER = Integer.MAX_VALUE;

    /**
     * Reads a sequence once.
     *
     * @param pages how many different pages there are
     * @param sequence the page of each reference in turn, or {@link Sample#SKIPPED}
     */
    static Lookahead of(int pages, int length, IntSupplier sequence) {
        int[] next = new int[length];
        int[] first = new int[pages];
        Arrays.fill(next, NEVER);
        Arrays.fill(first, NEVER);
        int[] last = new int[pages];
        int position = 0;
        for (int i = 0; i < length; i++) {
            int page = sequence.getAsInt();
            if (page == Sample.SKIPPED) {
                continue;
            }
            if (first[page] == NEVER) {
                first[page] = position;
            } else {
                next[last[page]] = position;
            }
            last[page] = position++;
        }
        return new Lookahead(position == length ? next : Arrays.copyOf(next, position), first);
    }

    int length() {
        return next.length;
    }

    /** One {@link Lookahead} for all simulations of the same references, until the last has it. Thread-safe. */
    static final class Lookaheads {
        private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

        private record Subject(Play play, int threads) {
            static Subject of(Cell cell) {
                return new Subject(cell.play(), cell.threads());
            }
        }

        private final Map<Subject, Integer> missing = new HashMap<>();
        private final Map<Subject, Lookahead> made = new HashMap<>();

        /** Of all cells that will be simulated; those of the optimum ask for one. */
        Lookaheads(List<Cell> cells) {
            cells.stream().filter(Cell::isOptimum).forEach(cell -> missing.merge(Subject.of(cell), 1, Integer::sum));
        }

        /** For a cell of the optimum, which asks once. */
        synchronized Lookahead of(Cell cell, int interleave) {
            Subject subject = Subject.of(cell);
            Lookahead lookahead = made.computeIfAbsent(subject, absent -> read(cell, interleave));
            if (missing.merge(subject, -1, Integer::sum) == 0) {
                made.remove(subject);
            }
            return lookahead;
        }

        private static Lookahead read(Cell cell, int interleave) {
            Play play = cell.play();
            long length = play.allReferences();
            if (length > LONGEST_ARRAY) {
                throw new CommandFailure(Settings.OPTIMUM + " needs all references in memory, and " + length
                        + " are too many; ask for fewer by --accesses, or leave it out");
            }
            Turns warmup = play.warmup(DirtyShare.NONE, cell.threads(), interleave);
            Turns counted = play.counted(DirtyShare.NONE, cell.threads(), interleave);
            long[] left = {warmup.count()};
            return Lookahead.of(play.simulatedPages(), (int) length, () -> {
                int page = left[0]-- > 0 ? warmup.next() : counted.next();
                return play.sample() == null ? page : play.sample().of(page);
            });
        }
    }
}
