// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Turns;
import java.util.function.Function;

/**
 * A run and its answers.
 *
 * @param timedAnswer null if no time was measured
 * @param turns in a duel; null if it ran alone
 * @param countedAnswer null if nothing was counted
 */
record Run(Cell<Setting, Contender> cell, RunAnswer timedAnswer, Turns turns, RunAnswer countedAnswer) {

    <V> V timed(Function<Timed, V> figure) {
        return timedAnswer == null ? null : figure.apply(timed());
    }

    /** In a duel the throughput is that of the contender's own running time. */
    private Timed timed() {
        Timed timed = timedAnswer.timed();
        return turns == null
                ? timed
                : new Timed(
                        turns.standing().operations(), turns.standing().operationsPerSecond(), timed.latencyMicros());
    }

    <V> V counted(Function<Counted, V> figure) {
        return countedAnswer == null ? null : figure.apply(countedAnswer.counted());
    }

    Double latency(Function<Percentiles, Double> percentile) {
        Percentiles latency = timed(Timed::latencyMicros);
        return latency == null ? null : percentile.apply(latency);
    }

    Double framesScannedPerMiss() {
        return counted(c -> c.misses() == 0 ? null : (double) c.framesScanned() / c.misses());
    }

    /** Fixes that gave the content of another page, at any time of the run. */
    Long wrongPages() {
        if (timedAnswer == null && countedAnswer == null) {
            return null;
        }
        return (timedAnswer == null ? 0 : timedAnswer.wrongPages())
                + (countedAnswer == null ? 0 : countedAnswer.wrongPages());
    }

    /** Whether the run ended and every page was right. */
    boolean isValid() {
        return countedAnswer != null && wrongPages() == 0;
    }
}
