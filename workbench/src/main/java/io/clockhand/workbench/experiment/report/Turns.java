// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import io.clockhand.duel.Bootstrap;
import io.clockhand.duel.DuelResult;
import io.clockhand.duel.Rounds;
import io.clockhand.duel.Slice;
import java.util.List;
import java.util.stream.Stream;

/**
 * A contender's part in a duel.
 *
 * @param name of the contender in the rounds
 */
public record Turns(Rounds rounds, String name) {
    public long operations() {
        return slices().mapToLong(Slice::operations).sum();
    }

    /** Of the contender's own running time. */
    public double operationsPerSecond() {
        return 1e9 * operations() / slices().mapToLong(Slice::nanos).sum();
    }

    private Stream<Slice> slices() {
        int own = rounds.names().indexOf(name);
        return rounds.processes().stream().flatMap(List::stream).map(round -> round.get(own));
    }

    /** Of all repeats of a duel; a repeat is resampled as a whole, and so are the rounds within it. */
    static Ratio ratio(List<Turns> own, String base) {
        Rounds first = own.get(0).rounds;
        Rounds all = new Rounds(
                first.names(),
                own.stream().allMatch(turns -> turns.rounds.inTurns()),
                own.stream().flatMap(turns -> turns.rounds.processes().stream()).toList());
        DuelResult.Standing standing = Bootstrap.evaluate(all, base, 1).standing(own.get(0).name);
        return new Ratio(standing.ratio(), standing.ratioLow(), standing.ratioHigh(), all.inTurns());
    }

    int count() {
        return rounds.processes().stream().mapToInt(List::size).sum();
    }
}
