// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import java.util.List;

/** Minimum, median and maximum of measured values. */
public record Spread(double min, double median, double max) {

    /** Null if nothing was measured. */
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(sorted[0], median, sorted[sorted.length - 1]);
    }
}
