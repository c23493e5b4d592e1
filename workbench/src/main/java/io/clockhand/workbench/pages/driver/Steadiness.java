// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.workbench.experiment.report.Spread;
import java.util.List;

/**
 * How the throughput of a run has changed in its measured interval.
 *
 * @param driftPercent by how much the second half was faster than the first; a second in the middle belongs to neither
 * @param lowestPercent the throughput of the slowest second, in percent of the median one
 * @param steadyPercent how many of a hundred seconds had at least half of the median throughput
 */
public record Steadiness(double driftPercent, double lowestPercent, double steadyPercent) {
    /** The drift from which on a run is not stable. */
    public static final double MOST_DRIFT_PERCENT = 5;

    /** Of the throughput of each second; null if there are fewer than two, or nothing was done in the first half. */
    public static Steadiness of(List<Double> rates) {
        int half = rates.size() / 2;
        double first = mean(rates.subList(0, half));
        double second = mean(rates.subList(rates.size() - half, rates.size()));
        if (half == 0 || first == 0) {
            return null;
        }
        Spread spread = Spread.of(rates);
        return new Steadiness(
                100 * (second - first) / first,
                spread.median() == 0 ? 0 : 100 * spread.min() / spread.median(),
                100 * steadyShare(rates));
    }

    private static double mean(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** The share of the seconds with at least half of the median throughput, and any; null without a second. */
    public static Double steadyShare(List<Double> rates) {
        if (rates.isEmpty()) {
            return null;
        }
        double median = Spread.of(rates).median();
        long steady =
                rates.stream().filter(rate -> rate > 0 && rate >= median / 2).count();
        return (double) steady / rates.size();
    }

    public boolean stable() {
        return Math.abs(driftPercent) <= MOST_DRIFT_PERCENT;
    }
}
