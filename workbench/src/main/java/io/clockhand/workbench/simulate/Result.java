// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

/** The counts of a cell, without its warm-up. */
record Result(Cell cell, long hits, SimulatedPool.Counts counts) {
    private static final double PERCENT = 100;

    long references() {
        return cell.play().references();
    }

    double hitPercent() {
        return PERCENT * hits / references();
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
        long misses = references() - hits;
        return !isOptimum() && misses > 0 ? (double) count / misses : null;
    }

    private boolean isOptimum() {
        return cell.isOptimum();
    }
}
