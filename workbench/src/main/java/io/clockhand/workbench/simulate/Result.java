// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

/**
 * The hits of one policy on one trace.
 *
 * @param framesScanned frames that the policy scanned in search of victims
 */
record Result(Cell cell, long hits, long framesScanned) {
    private static final double PERCENT = 100;

    long references() {
        return cell.play().references();
    }

    double hitPercent() {
        return PERCENT * hits / references();
    }

    /** Null for the optimum, which does not search, and without a miss. */
    Double framesScannedPerMiss() {
        long misses = references() - hits;
        boolean searches = !cell.policy().equals(Settings.OPTIMUM);
        return searches && misses > 0 ? (double) framesScanned / misses : null;
    }
}
