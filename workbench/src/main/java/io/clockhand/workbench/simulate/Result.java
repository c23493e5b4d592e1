// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.simulate.SimulatedPool.Counts;
import java.util.List;

/**
 * The counts of a cell, without its warm-up.
 *
 * @param hits of all references; of a sample, those that are to be expected
 * @param simulatedMisses of the references that were simulated
 * @param cpuSeconds of the processor, warm-up included
 * @param overTime the parts of the references; null if they were not asked for
 */
record Result(
        Cell cell, long hits, long simulatedMisses, Counts counts, double cpuSeconds, List<Counter.Moment> overTime) {
    private static final double PERCENT = 100;

    static Result of(Cell cell, Counter counter, Counts counts, double cpuSeconds) {
        Sample sample = cell.play().sample();
        long references = cell.play().references();
        long hits = sample == null
                ? counter.hits()
                : Math.round(references * sample.hitRatio(counter.hits(), counter.simulated(), references));
        return new Result(cell, hits, counter.simulated() - counter.hits(), counts, cpuSeconds, counter.moments());
    }

    long references() {
        return cell.play().references();
    }

    double hitPercent() {
        return PERCENT * hits / references();
    }

    /** The frames as a share of the pages. */
    double framesPercent() {
        return PERCENT * cell.frames() / cell.play().workload().keys();
    }

    /** The share of the pages whose references were simulated; 1 for all, so that hits are exact. */
    double sampleRate() {
        return cell.play().sample() == null ? 1 : cell.play().sample().rate();
    }

    /** Null for the optimum, which does not search, and without a miss. */
    Double framesScannedPerMiss() {
        return perMiss(counts.framesScanned());
    }

    /** Null for the optimum, which ignores dirt. */
    Long writes() {
        return isOptimum() ? null : counts.writes();
    }

    /** Null for the optimum, which ignores dirt. */
    Long readStalls() {
        return isOptimum() ? null : counts.readStalls();
    }

    /** Null for the optimum, and without a miss. */
    Double readStallPercent() {
        Double share = perMiss(counts.readStalls());
        return share == null ? null : Double.valueOf(PERCENT * share);
    }

    private Double perMiss(long count) {
        return !isOptimum() && simulatedMisses > 0 ? (double) count / simulatedMisses : null;
    }

    private boolean isOptimum() {
        return cell.isOptimum();
    }
}
