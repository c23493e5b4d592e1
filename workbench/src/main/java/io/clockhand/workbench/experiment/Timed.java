// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import org.HdrHistogram.Histogram;

/**
 * Of a measured interval.
 *
 * @param latencyMicros of single fixes, sampled; null if there were none
 */
public record Timed(long accesses, double operationsPerSecond, Percentiles latencyMicros) {

    /** Latencies in microseconds. */
    public record Percentiles(double p50, double p95, double p99) {
        /** Of times in nanoseconds; null if there are none. */
        public static Percentiles of(Histogram nanos) {
            return nanos.getTotalCount() == 0
                    ? null
                    : new Percentiles(micros(nanos, 50), micros(nanos, 95), micros(nanos, 99));
        }

        private static double micros(Histogram nanos, double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1e3;
        }
    }
}
