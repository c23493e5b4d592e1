// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.CacheProbe.RequiredCache;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.List;

/**
 * Open a database, after a crash or not, and have terminals work on it.
 *
 * @param database the directory
 * @param scale it was loaded with
 * @param cache that the properties of the JVM must have set
 * @param terminals that work at the same time
 * @param seed of their inputs
 * @param receipts of what was committed since the load
 */
public record CrashOrder(
        String database, Scale scale, RequiredCache cache, int terminals, long seed, List<String> receipts) {

    /** The same for other terminals. */
    CrashOrder next() {
        return new CrashOrder(database, scale, cache, terminals, ~seed, receipts);
    }
}
