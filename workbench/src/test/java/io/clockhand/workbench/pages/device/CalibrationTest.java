// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.clockhand.io.MemoryPageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulated devices have the latencies and the rates of their profiles. Times are so long that two processors have
 * little to do, and other work on the machine matters little.
 */
@Tag("nightly")
class CalibrationTest {
    private static final int PAGE_BYTES = 512;
    private static final int THREADS = 128;
    private static final double FEW_PERCENT = 5;
    private static final double SECONDS = 1.5;
    private static final long POLL = 1_000_000;

    private final MemoryPageStore store = new MemoryPageStore("pages", PAGE_BYTES);

    /** Threads that refer to a page each, until they are stopped. */
    private static final class Load implements AutoCloseable {
        private final SimulatedSsd device;
        private final boolean writes;
        private final ExecutorService pool;
        private final List<Future<?>> all = new ArrayList<>();
        private volatile boolean stopped;

        Load(SimulatedSsd device, boolean writes, int threads) {
            this.device = device;
            this.writes = writes;
            this.pool = Executors.newFixedThreadPool(threads);
            for (int t = 0; t < threads; t++) {
                long page = t;
                all.add(pool.submit(() -> {
                    refer(page);
                    return null;
                }));
            }
        }

        private void refer(long page) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
            while (!stopped) {
                if (writes) {
                    device.write(page, bytes.clear());
                } else {
                    device.read(page, bytes.clear());
                }
            }
        }

        /** The figures of some requests, after as many as there are threads. */
        DeviceFigures figures(long requests) {
            await(all.size());
            device.resetFigures();
            return await(requests);
        }

        private DeviceFigures await(long requests) {
            while (true) {
                DeviceFigures figures = device.figures();
                if (figures.reads().count() + figures.writes().count() >= requests) {
                    return figures;
                }
                LockSupport.parkNanos(POLL);
            }
        }

        @Override
        public void close() throws Exception {
            stopped = true;
            for (Future<?> each : all) {
                each.get();
            }
            pool.shutdown();
        }
    }

    private DeviceFigures busy(DeviceProfile profile, boolean writes) throws Exception {
        double rate = writes ? profile.writesPerSecond() : profile.readsPerSecond();
        try (Load load = new Load(device(profile), writes, THREADS)) {
            return load.figures((long) (SECONDS * rate));
        }
    }

    private SimulatedSsd device(DeviceProfile profile) throws IOException {
        store.extend(10_000);
        return new SimulatedSsd(store, profile, 1);
    }

    /** At the speed of the preset if its requests have to wait, else so slow that one takes 35 ms. */
    private static DeviceProfile profile(DevicePreset preset, boolean writes) {
        DeviceProfile fast = preset.profile();
        double nanos = writes ? fast.writeNanos() : fast.readNanos();
        return fast.channels() == 1 ? fast : fast.slowed(35_000_000 / nanos);
    }

    /** In percent: a few, and more if the machine was so busy that threads ran again late. */
    private static double tolerance(DeviceFigures figures, double nanos) {
        return FEW_PERCENT + 150 * Math.max(0, figures.lateMicros() * 1_000 / nanos);
    }

    @ParameterizedTest
    @EnumSource
    void busyDeviceDoesTheReadsOfThePreset(DevicePreset preset) throws Exception {
        DeviceProfile profile = profile(preset, false);
        DeviceFigures figures = busy(profile, false);

        double expected = profile.readsPerSecond();
        double tolerance = tolerance(figures, profile.readNanos());
        assertThat(figures.reads().perSecond()).as("%s", figures).isCloseTo(expected, withinPercentage(tolerance));
        assertThat(figures.utilisation()).as("%s", figures).isCloseTo(1, withinPercentage(tolerance));
    }

    @ParameterizedTest
    @EnumSource
    void busyDeviceDoesTheWritesOfThePreset(DevicePreset preset) throws Exception {
        DeviceProfile profile = profile(preset, true);
        DeviceFigures figures = busy(profile, true);

        double expected = profile.writesPerSecond();
        double tolerance = tolerance(figures, profile.writeNanos());
        assertThat(figures.writes().perSecond()).as("%s", figures).isCloseTo(expected, withinPercentage(tolerance));
        assertThat(figures.utilisation()).as("%s", figures).isCloseTo(1, withinPercentage(tolerance));
    }

    @Test
    void singleThreadHasTheLatencyOfThePreset() throws Exception {
        DeviceProfile profile = DevicePreset.SSD_A.profile().slowed(10);
        DeviceFigures reads;
        try (Load load = new Load(device(profile), false, 1)) {
            reads = load.figures(300);
        }
        DeviceFigures writes;
        try (Load load = new Load(device(profile), true, 1)) {
            writes = load.figures(50);
        }

        assertThat(reads.reads().meanMicros())
                .as("%s", reads)
                .isCloseTo(6_710, withinPercentage(tolerance(reads, profile.readNanos())));
        assertThat(writes.writes().meanMicros())
                .as("%s", writes)
                .isCloseTo(37_800, withinPercentage(tolerance(writes, profile.writeNanos())));
        assertThat(writes.inFlight()).as("%s", writes).isBetween(0.9, 1.05);
    }
}
