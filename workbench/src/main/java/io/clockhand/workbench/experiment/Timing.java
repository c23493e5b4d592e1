// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

/**
 * Measure the throughput and the latencies, with statistics off.
 *
 * @param slices the file of a duel, which decides how long the run takes; null for the seconds
 * @param warmupSlices of the duel
 */
public record Timing(int warmupSeconds, int seconds, String slices, int warmupSlices) {

    /** Of a run that is no part of a duel. */
    public static Timing alone(int warmupSeconds, int seconds) {
        return new Timing(warmupSeconds, seconds, null, 0);
    }
}
