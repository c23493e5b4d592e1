// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.workload.TraceFormat;
import java.util.function.DoubleConsumer;

/**
 * Fill a pool, and let threads use its pages for a time.
 *
 * @param rate references a second that the threads attempt together; 0 for as many as they can
 * @param timing of a run that is no part of a duel
 */
public record RunOrder(Pool pool, Device device, Source source, int threads, double rate, Timing timing)
        implements Order<RunAnswer> {

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Trial(this, progress).run();
    }

    /**
     * The pool.
     *
     * @param scheme its name
     * @param slowness by which rates of the scheme are divided
     */
    public record Pool(String scheme, int frames, double slowness) {}

    /**
     * The device.
     *
     * @param profile of a simulated device, with the time scale; null for a file
     * @param file that is made; null for a simulated device
     */
    public record Device(DeviceProfile profile, String file, int pageBytes) {}

    /**
     * The references.
     *
     * @param trace null for those of TPC-C
     * @param format of the trace; null to find out
     * @param mix which references of TPC-C are writes; null for a trace
     */
    public record Source(String trace, TraceFormat format, int pages, WriteMix mix, long seed) {}
}
