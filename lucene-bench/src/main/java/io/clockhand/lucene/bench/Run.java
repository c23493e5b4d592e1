// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Turns;
import java.util.function.Function;

/**
 * A run and its answer.
 *
 * @param turns null if the duel failed
 * @param answer null if the duel failed
 */
record Run(Cell<Setting, Contender> cell, Turns turns, RunAnswer answer) {
    Setting setting() {
        return cell.setting();
    }

    Double searchesPerSecond() {
        return turns == null ? null : Double.valueOf(turns.standing().operationsPerSecond());
    }

    <V> V of(Function<RunAnswer, V> figure) {
        return answer == null ? null : figure.apply(answer);
    }

    Double latency(Function<Percentiles, Double> percentile) {
        Percentiles latencies = of(RunAnswer::latencyMicros);
        return latencies == null ? null : percentile.apply(latencies);
    }

    /** Whether every search found what it should. */
    boolean isValid() {
        return answer != null && answer.wrongResults() == 0;
    }
}
