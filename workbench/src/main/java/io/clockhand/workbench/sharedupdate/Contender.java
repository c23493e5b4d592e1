// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.sharedupdate.driver.Protocol;

/**
 * A protocol with a number of threads: the best exclusive one is found among those of all numbers.
 *
 * @param bestOf the contender that is the best exclusive one; null for one that is run
 */
record Contender(Protocol protocol, int threads, Contender bestOf) {
    Contender(Protocol protocol, int threads) {
        this(protocol, threads, null);
    }

    @Override
    public String toString() {
        return protocol + ", " + Figures.counted(threads, "threads");
    }
}
