// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.report.Cell;
import java.util.function.Function;

/**
 * A run and its answers.
 *
 * @param timedAnswer null if no time was measured, and so is the other if nothing was counted
 */
record Run(Cell<Setting, Contender> cell, RunAnswer timedAnswer, RunAnswer countedAnswer) {

    <V> V timed(Function<Timed, V> figure) {
        return timedAnswer == null ? null : figure.apply(timedAnswer.timed());
    }

    <V> V counted(Function<Counted, V> figure) {
        return countedAnswer == null ? null : figure.apply(countedAnswer.counted());
    }

    Double latency(Function<Percentiles, Double> percentile) {
        Percentiles latency = timed(Timed::latencyMicros);
        return latency == null ? null : percentile.apply(latency);
    }

    Double framesScannedPerMiss() {
        return counted(c -> c.misses() == 0 ? null : (double) c.inspected() / c.misses());
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
