// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.sharedupdate.driver.Load;
import io.clockhand.workbench.sharedupdate.driver.LogCost;
import io.clockhand.workbench.sharedupdate.driver.RowLayout;

/**
 * The settings that compared contenders have in common.
 *
 * @param layout null for allocations
 */
record Setting(Load load, LogCost logCost, RowLayout layout, int rowBytes, int pageLsnBytes) {
    @Override
    public String toString() {
        return load == Load.ALLOCATE
                ? "allocations, log " + logCost
                : "log " + logCost + ", " + layout + " rows of " + rowBytes + (rowBytes == 1 ? " byte" : " bytes")
                        + ", page LSN of " + pageLsnBytes + " bytes";
    }
}
