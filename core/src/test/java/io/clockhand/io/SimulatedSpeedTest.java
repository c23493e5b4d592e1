// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static io.clockhand.io.FilledPages.PAGE_BYTES;
import static io.clockhand.io.FilledPages.append;
import static io.clockhand.io.FilledPages.value;
import static io.clockhand.io.FilledPages.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testkit.DiskCall;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The space and the speed of a simulated disk, and the hook before each call. */
class SimulatedSpeedTest {
    /** Longer than any test: a call that waits for so long is stuck. */
    private static final long HOUR_SECONDS = 3_600;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final SimulatedDisk disk = new SimulatedDisk(1);
    private PageStore store;
    private SimulatedFile log;

    @BeforeEach
    void open() throws IOException {
        store = disk.pages("pages", PAGE_BYTES);
        log = disk.file("log");
        write(store, 0, 1);
    }

    // --- space -------------------------------------------------------------------------------------------------------

    @Test
    void fullDiskFailsWritesThatNeedSpaceUntilFilesShrink() throws IOException {
        SimulatedDisk small = new SimulatedDisk(1);
        small.setCapacityBytes(3 * PAGE_BYTES);
        PageStore first = small.pages("first", PAGE_BYTES);
        PageStore second = small.pages("second", PAGE_BYTES);
        write(first, 0, 1);
        write(first, 9, 1); // pages 1 to 8 are gaps
        write(second, 0, 1);
        assertThat(small.usedBytes()).isEqualTo(3 * PAGE_BYTES);

        assertThatThrownBy(() -> write(second, 1, 1))
                .hasMessage("cannot write page 1 of second: No space left on device, which has 12288 bytes");
        assertThatThrownBy(() -> write(first, 4, 1)).as("a gap").hasMessageContaining("No space left");
        assertThat(second.pages()).isEqualTo(1);
        write(first, 0, 2);
        first.truncate(1);
        write(second, 1, 2);
        first.delete();
        write(second, 2, 3);
        assertThat(small.faults().count(DiskFault.NO_SPACE)).isEqualTo(2);
        assertThat(value(second, 2)).isEqualTo(3);
    }

    @Test
    void crashGivesBackTheSpaceOfLostWrites() throws IOException {
        for (int seed = 0; seed < 30; seed++) {
            SimulatedDisk small = new SimulatedDisk(seed);
            small.setCapacityBytes(4 * PAGE_BYTES);
            for (int boot = 0; boot < 5; boot++) {
                PageStore pages = small.pages("pages", PAGE_BYTES);
                for (int page = 0; page < 4; page++) {
                    write(pages, page, boot);
                }
                assertThat(small.usedBytes()).isEqualTo(4 * PAGE_BYTES);
                small.crash();
                assertThat(small.usedBytes()).isBetween(0L, 4L * PAGE_BYTES);
            }
        }
    }

    // --- time --------------------------------------------------------------------------------------------------------

    @Test
    void writesOfPagesWaitForTheirTurns() throws IOException {
        disk.setWriteRate(200);
        long begin = System.nanoTime();
        List<Workers.Worker<Void>> writers = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int page = thread;
            writers.add(workers.run(() -> {
                for (int i = 0; i < 10; i++) {
                    write(store, page, i);
                }
            }));
        }
        writers.forEach(Workers.Worker::result);
        assertThat(System.nanoTime() - begin)
                .as("nanoseconds of 40 writes, no two of which may be made in 5 ms")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void onlyWritesOfPagesWaitAndNoneWithoutALimit() throws IOException {
        disk.setWriteRate(1.0 / HOUR_SECONDS);
        Workers.Worker<Integer> others = workers.start(() -> {
            append(log, 10, 1);
            return value(store, 0);
        });
        assertThat(others.result()).isEqualTo(1);
        Workers.Worker<Void> waiting = workers.run(() -> write(store, 0, 2));
        waiting.awaitParked();

        disk.setWriteRate(Double.POSITIVE_INFINITY);
        workers.run(() -> write(store, 0, 3)).result();
        assertThat(value(store, 0)).isEqualTo(3);
        disk.crash(); // ends the wait
        assertThat(waiting.failure()).isInstanceOf(IOException.class);
    }

    @Test
    void latencyOfOneCallDelaysNoOther() throws IOException {
        write(store, 1, 2);
        disk.setLatency(call -> call.operation() == Operation.READ && call.position() == 0
                ? TimeUnit.SECONDS.toNanos(HOUR_SECONDS)
                : 1_000);
        Workers.Worker<Integer> slow = workers.start(() -> value(store, 0));
        slow.awaitParked();
        Workers.Worker<Integer> other = workers.start(() -> {
            write(store, 0, 3);
            return value(store, 1);
        });
        assertThat(other.result()).isEqualTo(2);
        assertThat(slow.isDone()).isFalse();
        disk.crash(); // ends the wait
        assertThat(slow.failure()).isInstanceOf(IOException.class);
    }

    @Test
    void hookSeesEachCallAndCanStopOrFailIt() throws IOException {
        Gate gate = new Gate();
        List<DiskCall> calls = new ArrayList<>();
        disk.setHook(call -> {
            if (call.operation() == Operation.FORCE) {
                gate.pass();
                throw new IOException("refused by the hook");
            }
            calls.add(call);
        });
        Workers.Worker<Void> forcing = workers.run(() -> store.force());
        gate.awaitReached();
        write(store, 1, 2);
        assertThat(value(store, 1)).isEqualTo(2);
        gate.open();
        assertThat(forcing.failure()).hasMessage("cannot force pages: refused by the hook");
        assertThat(calls)
                .containsExactly(
                        new DiskCall(Operation.WRITE, "pages", PAGE_BYTES, PAGE_BYTES, true),
                        new DiskCall(Operation.READ, "pages", PAGE_BYTES, PAGE_BYTES, false));
        assertThat(calls).hasToString("[write of 4096 bytes at 4096 of pages, read of 4096 bytes at 4096 of pages]");
    }
}
