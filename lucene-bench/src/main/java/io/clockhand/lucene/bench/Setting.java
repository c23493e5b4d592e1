// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.report.Figures;

/**
 * The settings that compared contenders have in common.
 *
 * @param memoryPercent of the index that each contender has memory for; 100 for no limit
 */
record Setting(Work work, int threads, double memoryPercent) {
    private static final double ALL = 100;

    boolean isLimited() {
        return memoryPercent < ALL;
    }

    @Override
    public String toString() {
        return work + ", " + Figures.counted(threads, "threads") + ", memory for " + Figures.brief(memoryPercent)
                + " %";
    }
}
