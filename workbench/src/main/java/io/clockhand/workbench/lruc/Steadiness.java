// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.report.Spread;
import java.util.List;

/**
 * How the throughput of a run has changed in its measured interval.
 *
 * @param driftPercent by how much the second half was faster than the first; a second in the middle belongs to neither
 * @param lowestPercent the throughput of the slowest second, in percent of the median one
 * @param steadyPercent how many of a hundred seconds had at least half of the median throughput
 */
record Steadiness(double driftPercent, double lowestPercent, double steadyPercent) {
    /** The drift from which on a run is not stable. */
    static final double MOST_DRIFT_PERCENT = 5;

    private static final double PERCENT = 100;

    /** Null if there are fewer than two seconds, or nothing was done in the first half. */
    static Steadiness of(List<RunAnswer.Moment> seconds) {
        int half = seconds.size() / 2;
        double first = mean(seconds.subList(0, half));
        double second = mean(seconds.subList(seconds.size() - half, seconds.size()));
        if (half == 0 || first == 0) {
            return null;
        }
        Spread spread = Spread.of(
                seconds.stream().map(RunAnswer.Moment::operationsPerSecond).toList());
        long steady = seconds.stream()
                .filter(moment ->
                        moment.operationsPerSecond() > 0 && moment.operationsPerSecond() >= spread.median() / 2)
                .count();
        return new Steadiness(
                PERCENT * (second - first) / first,
                spread.median() == 0 ? 0 : PERCENT * spread.min() / spread.median(),
                PERCENT * steady / seconds.size());
    }

    private static double mean(List<RunAnswer.Moment> seconds) {
        return seconds.stream()
                .mapToDouble(RunAnswer.Moment::operationsPerSecond)
                .average()
                .orElse(0);
    }

    /** Whether the halves differ by no more than {@link #MOST_DRIFT_PERCENT}. */
    boolean stable() {
        return Math.abs(driftPercent) <= MOST_DRIFT_PERCENT;
    }
}
