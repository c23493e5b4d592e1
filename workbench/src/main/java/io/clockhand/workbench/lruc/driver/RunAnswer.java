// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.lruc.pool.PoolFigures;
import io.clockhand.workbench.pages.device.DeviceFigures;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

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
        double closeSeconds)
        implements Answer {

    private static final double PERCENT = 100;
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** Latencies in microseconds. */
    public record Latency(double p50, double p95, double p99, double mean) {}

    @Override
    public String wrong() {
        return lost() == 0
                ? null
                : "its threads have made " + changes + " changes, and its pages have " + found + " after the close";
    }

    @Override
    public Double operationsPerSecond() {
        return operations / seconds;
    }

    /** Changes that threads have made, but that are not in the pages after the close. */
    public long lost() {
        return changes - found;
    }

    public double missesPerSecond() {
        return misses / seconds;
    }

    /** Null without operations. */
    public Double missRatio() {
        return operations == 0 ? null : Double.valueOf((double) misses / operations);
    }

    /** Null without misses, as the pool has counted them. */
    public Double readStallPercent() {
        return perMiss(PERCENT * pool.readStalls());
    }

    /** Null without misses, as the pool has counted them. */
    public Double framesScannedPerMiss() {
        return perMiss((double) pool.framesScanned());
    }

    private Double perMiss(double count) {
        return pool.misses() == 0 ? null : Double.valueOf(count / pool.misses());
    }

    /** Null if no batch was written. */
    public Double pagesPerBatch() {
        return pool.batches() == 0 ? null : Double.valueOf((double) pool.batchPages() / pool.batches());
    }

    public double mutexWaitMillisPerSecond() {
        return pool.mutexWaitNanos() / NANOS_PER_MILLI / seconds;
    }

    /** Of the device where it is simulated, else of the pool, which reads a page for each miss. */
    public double readsPerSecond() {
        return device != null ? device.reads().perSecond() : pool.misses() / seconds;
    }

    public double writesPerSecond() {
        return device != null ? device.writes().perSecond() : pool.pagesWritten() / seconds;
    }

    /** Null if the device is not simulated. */
    public <V> V device(Function<DeviceFigures, V> figure) {
        return device == null ? null : figure.apply(device);
    }
}
