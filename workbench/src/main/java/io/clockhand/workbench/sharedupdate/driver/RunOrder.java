// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.options.EnumNames;
import io.clockhand.workbench.pages.driver.Timing;
import java.util.function.DoubleConsumer;

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
        boolean counts)
        implements Order<RunAnswer> {

    /** The work of the threads. */
    public enum Load {
        /** Each updates rows of its own in one page. */
        ROWS,
        /** Each allocates and frees pages, by a free-space map. */
        ALLOCATE;

        /** As options name it. */
        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Trial(this, progress).run();
    }
}
