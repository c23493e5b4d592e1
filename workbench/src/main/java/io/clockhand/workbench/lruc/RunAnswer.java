// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.driver.Steadiness;
import java.util.List;

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
 */
record RunAnswer(
        double seconds,
        Counts counts,
        Percentiles missMicros,
        Percentiles operationMicros,
        DeviceFigures device,
        Double cpuIdlePercent,
        List<Moment> overTime,
        long changes,
        long found)
        implements Answer {

    /** The work of all threads, and of the pool. */
    record Counts(long operations, long misses, ComparedPool.Figures pool) {
        Counts since(Counts before) {
            return new Counts(operations - before.operations, misses - before.misses, pool.since(before.pool));
        }
    }

    /**
     * About a second of the measured interval.
     *
     * @param second its end, since the interval began
     */
    record Moment(double second, double operationsPerSecond) {}

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

    double missesPerSecond() {
        return counts.misses / seconds;
    }

    /** Null without operations. */
    Double missRatio() {
        return ratio(counts.misses, counts.operations);
    }

    /** Null without misses. */
    Double framesScannedPerMiss() {
        return ratio(counts.pool.framesScanned(), counts.misses);
    }

    /** Null without misses. */
    Double readStallPercent() {
        return ratio(100 * counts.pool.readStalls(), counts.misses);
    }

    /** Null if it is not known. */
    Steadiness steadiness() {
        return Steadiness.of(overTime.stream().map(Moment::operationsPerSecond).toList());
    }

    static boolean isUnstable(Run<?, ?, RunAnswer> run) {
        Steadiness steadiness = run.timed(RunAnswer::steadiness);
        return steadiness != null && !steadiness.stable();
    }

    /** Of the device where it is simulated, else of the pool, which reads a page for each miss. */
    double readsPerSecond() {
        return device != null ? device.readsPerSecond() : missesPerSecond();
    }

    double writesPerSecond() {
        return device != null ? device.writesPerSecond() : counts.pool.pagesWritten() / seconds;
    }

    private static Double ratio(long part, long whole) {
        return whole == 0 ? null : Double.valueOf((double) part / whole);
    }
}
