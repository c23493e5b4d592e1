// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.derby.driver.RequiredCache;
import io.clockhand.workbench.experiment.Order;
import java.util.function.DoubleConsumer;

/**
 * Select rows for an interval.
 *
 * @param database the directory of a copy
 * @param cache that the properties and the class path of this JVM must have set
 * @param seed of this run's keys
 * @param slices the file of a duel, which decides how long the run takes; null for the seconds above
 * @param hangSeconds how long terminals may make no progress at the end
 * @param recording file for a Java Flight Recorder profile of the measured interval, or null
 */
public record RunOrder(
        String database,
        Rows rows,
        RequiredCache cache,
        int terminals,
        Keys keys,
        int warmupSeconds,
        int seconds,
        long seed,
        String slices,
        int hangSeconds,
        String recording)
        implements Order<RunAnswer> {
    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Trial(this).run();
    }
}
