// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SimulatedSsdTest {
    private static final int PAGE_BYTES = 512;
    private static final long MILLI = 1_000_000;
    private static final long SEED = 1;

    private final PageStore store = new MemoryPageStore("pages", PAGE_BYTES);

    private static ByteBuffer pages(int count) {
        return ByteBuffer.allocate(count * PAGE_BYTES).putLong(0, 42);
    }

    /** Reads take 30 ms, writes 60. */
    private SimulatedSsd slow(int channels) {
        return new SimulatedSsd(store, new DeviceProfile(channels, 30 * MILLI, 60 * MILLI, 0), SEED);
    }

    private interface Call {
        void run() throws IOException;
    }

    /** How long it takes; a millisecond more, since calls may return early. */
    private static Duration duration(Call call) throws IOException {
        long begin = System.nanoTime();
        call.run();
        return Duration.ofNanos(System.nanoTime() - begin + MILLI);
    }

    /** The threads may come late, so that a request waits for less time than one that comes at once. */
    @Test
    void requestsOnOneChannelWaitForEachOther() throws Exception {
        SimulatedSsd device = slow(1);
        store.extend(4);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<?>> reads = new ArrayList<>();
        List<Long> ends = Collections.synchronizedList(new ArrayList<>());
        long begin = System.nanoTime();
        for (int page = 0; page < 4; page++) {
            long read = page;
            reads.add(pool.submit(() -> {
                device.read(read, pages(1));
                ends.add(System.nanoTime() - begin);
                return null;
            }));
        }
        for (Future<?> read : reads) {
            read.get();
        }
        pool.shutdown();

        Collections.sort(ends);
        for (int i = 0; i < 4; i++) {
            assertThat(ends.get(i)).as("end %d", i).isGreaterThanOrEqualTo((30L * (i + 1) - 1) * MILLI);
        }
        assertThat(device.figures().reads()).isEqualTo(4);
    }

    @Test
    void runIsOneRequestForEachPageOnTheChannels() throws IOException {
        SimulatedSsd device = slow(4);
        Duration run = duration(() -> device.writeRun(10, pages(10)));

        assertThat(run).isGreaterThanOrEqualTo(Duration.ofMillis(60 * 3));
        assertThat(store.pages()).isEqualTo(20);
        assertThat(device.figures().writes()).isEqualTo(10);
    }

    @Test
    void batchIsOneRequestForEachPage() throws IOException {
        SimulatedSsd device = slow(1);
        store.extend(13);
        Duration batch = duration(() -> device.writeBatch(new long[] {7, 10, 12}, 1, 3, pages(2)));

        assertThat(batch).isGreaterThanOrEqualTo(Duration.ofMillis(120));
        assertThat(device.figures().writes()).isEqualTo(2);
        assertThat(device.writesBatches()).isEqualTo(store.writesBatches());
    }

    @Test
    void requestsThatTakeNoTimeDoNotWaitForOthers() throws IOException {
        SimulatedSsd device = new SimulatedSsd(store, new DeviceProfile(1, 0, 100_000 * MILLI, 0), SEED);
        store.extend(2);
        Thread writer = new Thread(() -> {
            try {
                device.write(1, pages(1));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.setDaemon(true);
        writer.start();
        while (writer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        device.read(0, pages(1));
        assertThat(writer.isAlive()).as("the write takes 100 s").isTrue();
    }

    @Test
    void interruptNeitherShortensACallNorIsLost() throws IOException {
        SimulatedSsd device = slow(1);
        Thread.currentThread().interrupt();
        Duration write = duration(() -> device.write(0, pages(1)));
        boolean interruptedAfterWrite = Thread.currentThread().isInterrupted();
        Duration read = duration(() -> device.read(0, pages(1)));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interruptedAfterWrite).isTrue();
        assertThat(write).isGreaterThanOrEqualTo(Duration.ofMillis(60));
        assertThat(read).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void failureOfTheStorePassesThroughAndTakesItsTime() throws IOException {
        SimulatedSsd device = slow(2);
        Duration read = duration(() -> assertThatThrownBy(() -> device.read(7, pages(1)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("page 7 of pages"));
        assertThat(read).isGreaterThanOrEqualTo(Duration.ofMillis(30));

        assertThatThrownBy(() -> device.writeRun(0, ByteBuffer.allocate(PAGE_BYTES + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        device.close();
        assertThatThrownBy(() -> device.write(3, pages(1))).hasMessageContaining("pages is closed");
        assertThatThrownBy(() -> device.writeRun(3, pages(2))).hasMessageContaining("pages is closed");
    }

    @Test
    void figuresBeginAnewWhenTheyAreReset() throws IOException {
        SimulatedSsd device = slow(2);
        device.write(0, pages(1));
        assertThat(device.figures().writes()).isEqualTo(1);

        device.resetFigures();
        assertThat(device.figures().writes()).isZero();
        device.read(0, pages(1));
        DeviceFigures figures = device.figures();
        assertThat(figures.reads()).isEqualTo(1);
        assertThat(figures.utilisation()).isPositive().isLessThan(0.53);
        assertThat(figures.seconds()).isGreaterThan(0.029);
    }

    @Test
    void requestsTakeNoTimeWhileTheDeviceIsNotSlowed() throws IOException {
        SimulatedSsd device = new SimulatedSsd(store, new DeviceProfile(1, 0, 100_000 * MILLI, 0), SEED);
        device.setSlowed(false);

        device.write(0, pages(1)); // not for 100 seconds
        assertThat(store.pages()).isOne();
    }
}
