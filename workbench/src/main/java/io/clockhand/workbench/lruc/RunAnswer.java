// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.pages.device.DeviceFigures;
import java.util.List;
import java.util.function.Function;

/**
 * The figures of a run, in its measured interval unless stated otherwise.
 *
 * @param counts in the interval
 * @param missMicros latencies of the misses; null if there were none
 * @param operationMicros latencies of all references
 * @param device null if it was not simulated
 * @param cpuIdlePercent of the whole machine; null if the system does not tell
 * @param changes that the threads have made in the whole run
 * @param found changes that the pages have after the close of the pool
 * @param closeSeconds how long the pool took to write what was dirty, with the latency of a simulated device off
 */
record RunAnswer(
        double seconds,
        Counts counts,
        Latency missMicros,
        Latency operationMicros,
        DeviceFigures device,
        Double cpuIdlePercent,
        List<Moment> overTime,
        long changes,
        long found,
        double closeSeconds)
        implements Answer {

    /** Latencies in microseconds. */
    record Latency(double p50, double p95, double p99, double mean) {}

    /** The work of all threads, and of the pool. */
    record Counts(long operations, long misses, ComparedPool.Figures pool) {
        Counts since(Counts before) {
            return new Counts(operations - before.operations, misses - before.misses, pool.since(before.pool));
        }

        /** As the figures of some seconds from {@code begin} to {@code end}. */
        Moment during(double begin, double end) {
            double seconds = end - begin;
            return new Moment(
                    end,
                    operations / seconds,
                    misses / seconds,
                    pool.readStalls() / seconds,
                    pool.pagesWritten() / seconds);
        }
    }

    /**
     * About a second of the measured interval.
     *
     * @param second its end, since the interval began
     */
    record Moment(
            double second,
            double operationsPerSecond,
            double missesPerSecond,
            double readStallsPerSecond,
            double pagesWrittenPerSecond) {}

    @Override
    public String wrong() {
        return lost() == 0
                ? null
                : "its threads have made " + changes + " changes, and its pages have " + found + " after the close";
    }

    @Override
    public long operations() {
        return counts.operations;
    }

    @Override
    public Double operationsPerSecond() {
        return counts.operations / seconds;
    }

    /** Changes that threads have made, but that are not in the pages after the close. */
    long lost() {
        return changes - found;
    }

    ComparedPool.Figures pool() {
        return counts.pool;
    }

    double missesPerSecond() {
        return counts.misses / seconds;
    }

    /** Null without operations. */
    Double missRatio() {
        return ratio(counts.misses, counts.operations);
    }

    /** Null without misses. */
    Double framesScannedPerMiss() {
        return ratio(pool().framesScanned(), counts.misses);
    }

    /** Null if no batch was written. */
    Double pagesPerBatch() {
        return ratio(pool().batchPages(), pool().batches());
    }

    /** Null without misses. */
    Double readStallPercent() {
        return ratio(100 * pool().readStalls(), counts.misses);
    }

    /** Null if it is not known. */
    <V> V steadiness(Function<Steadiness, V> figure) {
        Steadiness steadiness = Steadiness.of(overTime);
        return steadiness == null ? null : figure.apply(steadiness);
    }

    static boolean isUnstable(Run<?, ?, RunAnswer> run) {
        return Boolean.FALSE.equals(run.timed(answer -> answer.steadiness(Steadiness::stable)));
    }

    /** The busy time of the channels in percent of all their time; null if the device is not simulated. */
    Double utilisation() {
        return device(figures -> 100 * figures.utilisation());
    }

    /** Of the device where it is simulated, else of the pool, which reads a page for each miss. */
    double readsPerSecond() {
        return device != null ? device.reads().perSecond() : missesPerSecond();
    }

    double writesPerSecond() {
        return device != null ? device.writes().perSecond() : pool().pagesWritten() / seconds;
    }

    private static Double ratio(long part, long whole) {
        return whole == 0 ? null : Double.valueOf((double) part / whole);
    }

    /** Null if the device is not simulated. */
    <V> V device(Function<DeviceFigures, V> figure) {
        return device == null ? null : figure.apply(device);
    }
}
