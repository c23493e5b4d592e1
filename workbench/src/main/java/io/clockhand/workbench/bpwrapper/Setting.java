// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.References;
import io.clockhand.workbench.report.Figures;

/** The settings that compared contenders have in common. */
record Setting(String policy, int threads, References stream, double missPercent) {
    @Override
    public String toString() {
        return policy + ", " + Figures.counted(threads, "threads") + ", " + stream
                + (missPercent == 0 ? "" : ", " + Figures.brief(missPercent) + " % misses");
    }
}
