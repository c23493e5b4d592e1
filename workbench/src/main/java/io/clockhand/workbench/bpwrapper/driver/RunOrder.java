// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timing;
import java.util.function.DoubleConsumer;

/**
 * Play references on a pool of its own, for a time or a number of references.
 *
 * @param timing null if it is for a number
 * @param counting null if it is for a time
 * @param countsLocks whether locks and hits are counted, or the throughput is measured, which needs a time
 */
public record RunOrder(Pool pool, Source source, int threads, Timing timing, Counting counting, boolean countsLocks)
        implements Order<RunAnswer> {

    /**
     * The buffer pool.
     *
     * @param queueSize of each queue of hits; 0 for a form that has none to choose
     * @param threshold of a queue; 0 as well
     */
    public record Pool(Form form, String policy, int queueSize, int threshold, int frames, int pageBytes) {}

    /**
     * The references.
     *
     * @param pages that are referred to again and again
     * @param missPercent how many of a hundred references go to a new page
     */
    public record Source(References references, int pages, double missPercent, long seed) {}

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Trial(this, progress).run();
    }
}
