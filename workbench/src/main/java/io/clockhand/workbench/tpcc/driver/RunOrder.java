// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import io.clockhand.workbench.derby.driver.RequiredCache;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.tpcc.load.Scale;
import java.util.function.DoubleConsumer;

/**
 * Run the terminals against a database and check it afterwards.
 *
 * @param database the directory of a copy that may be changed
 * @param scale it was loaded with
 * @param cache that the properties and the class path of this JVM must have set
 * @param leastNewOrders that are entered after the warm-up, if need be beyond the seconds above; 0 in a duel
 * @param counted whether to count hits and I/O, which slows everything down, instead of only measuring throughput
 * @param seed of this run's inputs
 * @param slices the file of a duel, which decides how long the run takes; null for the seconds above
 * @param hangSeconds how long terminals may make no progress at the end
 * @param recording file for a Java Flight Recorder profile of the measured interval, or null
 * @param record file for the references to pages in the measured interval, or null
 * @param advised whether the cache estimates its hit ratios
 */
public record RunOrder(
        String database,
        Scale scale,
        RequiredCache cache,
        int terminals,
        int warmupSeconds,
        int seconds,
        long leastNewOrders,
        boolean keying,
        boolean counted,
        long seed,
        String slices,
        int hangSeconds,
        String recording,
        String record,
        boolean advised)
        implements Order<RunAnswer> {
    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Trial(this).run();
    }
}
