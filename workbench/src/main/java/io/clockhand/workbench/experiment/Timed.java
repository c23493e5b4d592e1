// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

/**
 * Of a measured interval.
 *
 * @param latencyMicros of single fixes, sampled; null if there were none
 */
public record Timed(long accesses, double operationsPerSecond, Percentiles latencyMicros) {

    /** Latencies in microseconds. */
    public record Percentiles(double p50, double p95, double p99) {}
}
