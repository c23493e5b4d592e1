// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.sharedupdate.driver.Protocol;

/** A protocol with a number of threads: the best exclusive one is found among those of all numbers. */
record Contender(Protocol protocol, int threads) {
    @Override
    public String toString() {
        return protocol + ", " + Figures.counted(threads, "threads");
    }
}
