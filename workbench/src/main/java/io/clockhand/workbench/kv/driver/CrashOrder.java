// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.Order;
import java.util.function.DoubleConsumer;

/**
 * Commit until the process is killed, or check what is there afterwards.
 *
 * @param acknowledged the file with the number of the last commit of each thread that has returned
 * @param checks whether to check
 */
public record CrashOrder(
        Engine engine, String folder, long cacheBytes, int threads, int valueBytes, String acknowledged, boolean checks)
        implements Order<CrashOrder.Found> {
    @Override
    public Found perform(DoubleConsumer progress) throws Exception {
        return new Commits(this).run();
    }

    /**
     * What a check has found.
     *
     * @param commits of all threads that are there
     * @param problem a commit that is lost, or is there in part, in words; null if there is none
     */
    public record Found(long commits, String problem) {}
}
