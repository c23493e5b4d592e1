// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.report.Figures;

/** The settings that compared contenders have in common. */
record Setting(int terminals) {
    @Override
    public String toString() {
        return Figures.counted(terminals, "terminals");
    }
}
