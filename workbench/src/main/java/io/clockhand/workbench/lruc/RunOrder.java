// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.environment.ProcessorTimes;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.lruc.RunAnswer.Counts;
import io.clockhand.workbench.lruc.RunAnswer.Moment;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;

/**
 * One run: new pages, a pool, and the threads that use it.
 *
 * <ol>
 *   <li>The threads fill the pool, with the latency of a simulated device off.
 *   <li>They warm up, and are measured, with the latency on.
 *   <li>They end, the latency is switched off, the pool is closed, and every page is read and compared.
 * </ol>
 *
 * @param slowness by which rates of the scheme are divided
 * @param profile of a simulated device, with the time scale; null for a file
 * @param file that is made; null for a simulated device
 * @param readsPerWrite page reads for each page write of TPC-C
 */
record RunOrder(
        String scheme,
        int frames,
        double slowness,
        DeviceProfile profile,
        String file,
        int pageBytes,
        int pages,
        double readsPerWrite,
        long seed,
        int threads,
        Timing timing)
        implements Order<RunAnswer> {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int RUN_BYTES = 1 << 20;

    /** Reads the counters in the measured interval. */
    private static final class Meter implements WorkThreads.Interval {
        private final Users users;
        /** Null for a file. */
        private final SimulatedSsd device;

        private final List<Moment> moments = new ArrayList<>();
        private ProcessorTimes processors;
        private long begin;
        private double seconds;
        private Counts first;
        private Counts last;
        private DeviceFigures figures;
        private Double cpuIdlePercent;

        Meter(Users users, SimulatedSsd device) {
            this.users = users;
            this.device = device;
        }

        @Override
        public void begins() {
            processors = ProcessorTimes.now();
            if (device != null) {
                device.resetFigures();
            }
            first = users.counts();
            last = first;
            begin = System.nanoTime();
        }

        @Override
        public void second() {
            Counts now = users.counts();
            double end = (System.nanoTime() - begin) / NANOS;
            moments.add(new Moment(end, now.since(last).operations() / (end - seconds)));
            last = now;
            seconds = end;
        }

        @Override
        public void ends() {
            figures = device == null ? null : device.figures();
            cpuIdlePercent = ProcessorTimes.idlePercent(processors, ProcessorTimes.now());
        }
    }

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        PageStore store = file == null
                ? new MemoryPageStore("the simulated device", pageBytes)
                : FilePageStore.open(Path.of(file), pageBytes, FileOption.CREATE, FileOption.DIRECT);
        try {
            writeContents(store, progress);
            return run(store, progress);
        } finally {
            store.delete();
        }
    }

    private RunAnswer run(PageStore store, DoubleConsumer progress) throws Exception {
        SimulatedSsd device = profile == null ? null : new SimulatedSsd(store, profile, seed);
        setSlowed(device, false);
        ComparedPool pool = ComparedPool.of(scheme, device == null ? store : device, frames, slowness);
        try (Users users =
                new Users(pool, threads, thread -> new TpccStream(pages, thread, threads, readsPerWrite, seed))) {
            users.fill(frames, () -> progress.accept(0));
            setSlowed(device, true);
            Meter meter = new Meter(users, device);
            users.measure(timing, meter, progress);
            setSlowed(device, false); // a device as slow as this one would need minutes for what is dirty
            pool.close();
            return new RunAnswer(
                    meter.seconds,
                    meter.last.since(meter.first),
                    users.missMicros(),
                    users.operationMicros(),
                    meter.figures,
                    meter.cpuIdlePercent,
                    meter.moments,
                    users.changes(),
                    PageContent.changes(store, pages, 1, checked -> progress.accept(1)));
        }
    }

    private static void setSlowed(SimulatedSsd device, boolean slowed) {
        if (device != null) {
            device.setSlowed(slowed);
        }
    }

    private void writeContents(PageStore store, DoubleConsumer progress) throws IOException {
        int most = RUN_BYTES / pageBytes;
        ByteBuffer run = ByteBuffer.allocateDirect(RUN_BYTES);
        for (int first = 0; first < pages; first += most) {
            run.clear();
            for (int page = first; page < Math.min(pages, first + most); page++) {
                for (int at = 0; at < pageBytes; at += Long.BYTES) {
                    run.putLong(PageContent.of(page));
                }
            }
            store.writeRun(first, run.flip());
            progress.accept(0);
        }
        store.force(); // or the system would write it back while something is measured
    }
}
