// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class DeviceTest {
    private static final int PAGE_BYTES = 512;
    private static final long RATE = 400;

    private final PageStore store = new MemoryPageStore("pages", PAGE_BYTES);
    private final Device device = new Device(store, RATE);

    private static ByteBuffer pages(int count) {
        return ByteBuffer.allocate(count * PAGE_BYTES).putLong(0, 42);
    }

    @Test
    void writesOfAllThreadsTogetherCompleteAtTheRate() throws Exception {
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> writes = new ArrayList<>();
        long begin = System.nanoTime();
        for (int t = 0; t < threads; t++) {
            long first = t * 10L;
            writes.add(pool.submit(() -> {
                device.writeRun(first, pages(9));
                device.writeBatch(new long[] {first + 9, first + 99}, 0, 2, pages(2));
                return null;
            }));
        }
        for (Future<?> write : writes) {
            write.get();
        }
        pool.shutdown();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(109));
        assertThat(store.pages()).isEqualTo(130);
    }

    @Test
    void interruptNeitherShortensAWriteNorIsLost() throws Exception {
        long begin = System.nanoTime();
        Thread.currentThread().interrupt();
        device.writeRun(0, pages(20));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(49));
    }

    @Test
    void allElseIsThatOfTheStore() throws Exception {
        device.extend(3);
        device.write(1, pages(1));
        ByteBuffer read = ByteBuffer.allocate(PAGE_BYTES);
        device.read(1, read);
        assertThat(read.getLong(0)).isEqualTo(42);

        device.truncate(2);
        assertThat(device.pages()).isEqualTo(store.pages()).isEqualTo(2);
        assertThat(device.name()).isEqualTo("pages");
        assertThat(device.pageBytes()).isEqualTo(PAGE_BYTES);
        assertThat(device.isReadOnly()).isFalse();
        assertThat(device.writesBatches()).isFalse();
        PageStore batched = DoubleWritePageStore.open(store, new MemoryPageStore("journal", PAGE_BYTES));
        assertThat(new Device(batched, RATE).writesBatches()).isTrue();
        assertThat(device.tryOwn()).isTrue();
        assertThat(store.tryOwn()).isFalse();
        device.force();
        device.close();
    }
}
