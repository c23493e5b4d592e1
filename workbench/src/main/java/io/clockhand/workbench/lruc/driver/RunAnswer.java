// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.device.DeviceFigures;
import io.clockhand.workbench.lruc.pool.PoolFigures;
import java.util.List;

/**
 * The figures of a run, in its measured interval unless stated otherwise.
 *
 * @param seconds the length of the interval
 * @param operations references that ended
 * @param misses of these
 * @param missMicros latencies of the misses; null if there were none
 * @param operationMicros latencies of all references
 * @param device null if it was not simulated
 * @param cpuIdlePercent of the whole machine; null if the system does not tell
 * @param changes that the threads have made in the whole run
 * @param found changes that the pages have after the close of the pool
 * @param closeSeconds how long the pool took to write what was dirty, with the latency of a simulated device off
 */
public record RunAnswer(
        double seconds,
        long operations,
        long misses,
        Latency missMicros,
        Latency operationMicros,
        PoolFigures pool,
        DeviceFigures device,
        Double cpuIdlePercent,
        List<Moment> overTime,
        long changes,
        long found,
        double closeSeconds) {

    /** Latencies in microseconds. */
    public record Latency(double p50, double p95, double p99, double mean) {}

    /** Whether the pages have every change, and no other. */
    public boolean allHolds() {
        return changes == found;
    }
}
