// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.pages.driver.Timing;

/**
 * Update rows for a time, or allocate pages.
 *
 * @param rows of the page; for allocations only their threads count
 * @param logCost of an append
 * @param stepsPerMicro of {@link CpuLoop}, the same for all that are compared
 * @param directory for the files of the pool and the log
 * @param counts whether waits and the log's time are measured, or the throughput is
 */
public record RunOrder(
        Load load,
        Protocol protocol,
        Rows rows,
        int pageLsnBytes,
        LogCost logCost,
        double stepsPerMicro,
        String directory,
        Timing timing,
        boolean counts) {}
