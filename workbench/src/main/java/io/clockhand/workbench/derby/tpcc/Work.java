// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.experiment.options.EnumNames;

/** What the terminals do. */
enum Work {
    TRANSACTIONS("tpmC", 60, "new-orders a minute"),
    SELECTS("selectsPerSecond", 1, "selects a second");

    /** The field of the throughput, the seconds to which it refers, and its unit in words. */
    final String rate;

    final int seconds;
    final String unit;

    Work(String rate, int seconds, String unit) {
        this.rate = rate;
        this.seconds = seconds;
        this.unit = unit;
    }

    /** As options and reports have it. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
