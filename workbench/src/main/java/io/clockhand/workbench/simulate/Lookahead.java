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

        /**
         * Makes none yet.
         *
         * @param cells all that will be simulated; those of the optimum ask for one
         */
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
            Sample sample = cell.play().sample();
            long length = sample == null ? cell.play().allReferences() : length(cell, interleave, sample);
            if (length > LONGEST_ARRAY) {
                throw new CommandFailure(Settings.OPTIMUM + " needs all references in memory, and " + length
                        + " are too many; ask for fewer by --accesses, or leave it out");
            }
            IntSupplier all = all(cell, interleave);
            return new Lookahead(
                    cell.play().simulatedPages(), (int) length, sample == null ? all : () -> nextOf(sample, all));
        }

        private static IntSupplier all(Cell cell, int interleave) {
            Turns warmup = cell.warmup(interleave);
            Turns counted = cell.counted(interleave);
            long[] left = {warmup.count()};
            return () -> left[0]-- > 0 ? warmup.next() : counted.next();
        }

        private static long length(Cell cell, int interleave, Sample sample) {
            IntSupplier all = all(cell, interleave);
            long length = 0;
            for (long i = cell.play().allReferences(); i > 0; i--) {
                length += sample.of(all.getAsInt()) == Sample.SKIPPED ? 0 : 1;
            }
            return length;
        }

        private static int nextOf(Sample sample, IntSupplier all) {
            int page;
            do {
                page = sample.of(all.getAsInt());
            } while (page == Sample.SKIPPED);
            return page;
        }
    }
}
