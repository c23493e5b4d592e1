// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import io.clockhand.duel.Rounds;
import io.clockhand.duel.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Duels of two rounds with known throughputs. */
public final class Played {
    private static final long SECOND = 1_000_000_000;

    private Played() {}

    /** Each contender does as many operations in each of two slices of a second. */
    public static Rounds inTurns(List<String> names, long... operations) {
        return new Rounds(names, true, List.of(rounds(operations)));
    }

    /** The same without signals. */
    public static Rounds oneAfterTheOther(List<String> names, long... operations) {
        return new Rounds(names, false, List.of(rounds(operations)));
    }

    private static List<List<Slice>> rounds(long... operations) {
        List<Slice> round = new ArrayList<>();
        for (long count : operations) {
            round.add(new Slice(count, SECOND));
        }
        return Collections.nCopies(2, round);
    }
}
