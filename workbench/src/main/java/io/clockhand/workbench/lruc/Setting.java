// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.report.Figures;

/**
 * The settings that compared schemes have in common.
 *
 * @param readWrite page reads and page writes, such as {@code 2:1}; null if a trace has them
 */
record Setting(String device, int threads, double poolPercent, String readWrite) {
    @Override
    public String toString() {
        return device + ", " + Figures.counted(threads, "threads") + ", pool " + Figures.brief(poolPercent) + " %"
                + (readWrite == null ? "" : ", " + readWrite);
    }
}
