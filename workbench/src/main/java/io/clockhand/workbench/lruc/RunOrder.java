// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.workload.TraceFormat;
import java.util.function.DoubleConsumer;

/**
 * Fill a pool, and let threads use its pages for a time.
 *
 * @param slowness by which rates of the scheme are divided
 * @param profile of a simulated device, with the time scale; null for a file
 * @param file that is made; null for a simulated device
 * @param trace null for the references of TPC-C
 * @param readsPerWrite page reads for each page write of TPC-C; 0 for a trace
 * @param rate references a second that the threads attempt together; 0 for as many as they can
 */
record RunOrder(
        String scheme,
        int frames,
        double slowness,
        DeviceProfile profile,
        String file,
        int pageBytes,
        String trace,
        TraceFormat format,
        int pages,
        double readsPerWrite,
        long seed,
        int threads,
        double rate,
        Timing timing)
        implements Order<RunAnswer> {

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Trial(this, progress).run();
    }
}
