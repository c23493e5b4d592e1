// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timing;
import java.util.function.DoubleConsumer;

/**
 * Fill a store, or play work on it.
 *
 * @param folder of the store
 * @param cacheBytes the memory for pages
 * @param warms whether all of the store is read before
 * @param entries that the store has, or gets
 * @param scanned entries of each scan
 * @param timing null to fill the store
 */
public record RunOrder(
        Engine engine,
        Work work,
        int threads,
        String folder,
        long cacheBytes,
        boolean warms,
        Durability durability,
        long entries,
        int valueBytes,
        int scanned,
        long seed,
        Timing timing)
        implements Order<RunAnswer> {
    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Play(this, progress).run();
    }
}
