// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static io.clockhand.io.FilledPages.PAGE_BYTES;
import static io.clockhand.io.FilledPages.SECTOR_BYTES;
import static io.clockhand.io.FilledPages.append;
import static io.clockhand.io.FilledPages.bytes;
import static io.clockhand.io.FilledPages.sectors;
import static io.clockhand.io.FilledPages.value;
import static io.clockhand.io.FilledPages.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a boot: handles from before it, kills, failed forces, and a loss of power during a call. */
class SimulatedBootTest {
    private static final int SEEDS = Tier.pick(80, 1_000, 20_000);

    @RegisterExtension
    private final Workers workers = new Workers();

    private static PageStore pages(SimulatedDisk disk) throws IOException {
        return disk.pages("pages", PAGE_BYTES);
    }

    private static PageStore crash(SimulatedDisk disk) throws IOException {
        disk.crash();
        return pages(disk);
    }

    // --- handles -----------------------------------------------------------------------------------------------------

    @Test
    void handlesFromBeforeACrashFail() throws IOException {
        for (boolean kill : new boolean[] {false, true}) {
            SimulatedDisk disk = new SimulatedDisk(1);
            PageStore store = pages(disk);
            SimulatedFile log = disk.file("log");
            write(store, 0, 1);
            assertThat(store.tryOwn()).isTrue();
            assertThat(pages(disk).tryOwn()).as("one owner a file").isFalse();
            if (kill) {
                disk.kill();
            } else {
                disk.crash();
            }
            String cause = kill ? "the process was killed in boot 1" : "the machine crashed in boot 1";

            List<ThrowingCallable> calls = List.of(
                    store::pages,
                    () -> value(store, 0),
                    () -> write(store, 0, 2),
                    () -> store.truncate(0),
                    store::force,
                    store::delete,
                    log::size,
                    () -> log.read(0, ByteBuffer.allocate(1)),
                    () -> log.write(0, ByteBuffer.allocate(1)),
                    () -> log.truncate(0),
                    log::force,
                    log::delete);
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOf(DiskCrashedException.class)
                        .hasMessageContaining(cause);
            }
            assertThat(store.tryOwn()).isFalse();
            assertThatCode(store::close).doesNotThrowAnyException();
            assertThatCode(log::close).doesNotThrowAnyException();
            assertThat(pages(disk).tryOwn()).as("the owner has gone").isTrue();
        }
    }

    @Test
    void killKeepsUnforcedWritesWhichALaterCrashMayLose() {
        Set<Integer> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            write(store, 0, 2);
            disk.kill();
            assertThat(value(pages(disk), 0)).isEqualTo(2);
            seen.add(sectors(crash(disk), 0)[0]);
        });
        assertThat(seen).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void crashEndsCallsThatWait() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(1);
        PageStore store = pages(disk);
        write(store, 0, 1);
        disk.setLatency(call -> TimeUnit.HOURS.toNanos(1)); // longer than any test
        Workers.Worker<Void> reader = workers.run(() -> value(store, 0));
        Workers.Worker<Void> writer = workers.run(() -> write(store, 0, 2));
        reader.awaitParked();
        writer.awaitParked();
        disk.crash();

        assertThat(reader.failure()).isInstanceOf(DiskCrashedException.class);
        assertThat(writer.failure()).isInstanceOf(DiskCrashedException.class);
    }

    // --- failed force, power loss ------------------------------------------------------------------------------------

    @Test
    void writesBeforeAFailedForceNeverReachTheDeviceThoughReadsSeeThem() {
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            write(store, 0, 2);
            write(store, 1, 2);
            disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).times(1));
            assertThatThrownBy(store::force)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot force pages")
                    .hasMessageContaining("with seed " + disk.seed());
            assertThat(value(store, 0)).isEqualTo(2);
            assertThat(value(store, 1)).isEqualTo(2);
            write(store, 2, 3);
            store.force();
            assertThat(value(store, 0)).isEqualTo(2);

            store = crash(disk);
            assertThat(store.pages()).isEqualTo(3);
            assertThat(value(store, 0)).isEqualTo(1);
            assertThat(value(store, 1)).isZero();
            assertThat(value(store, 2)).isEqualTo(3);
        });
    }

    @Test
    void lengthBeforeAFailedForceReachesTheDeviceWithTheNextForceWithoutItsBytes() {
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 1, 1);
            disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).times(1));
            assertThatThrownBy(store::force).isInstanceOf(IOException.class);
            store.force();

            store = crash(disk);
            assertThat(store.pages()).isEqualTo(2);
            assertThat(value(store, 1)).isZero();
        });
    }

    @Test
    void laterWriteToASectorBringsTheLostBytesInIt() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(1);
        SimulatedFile log = disk.file("log");
        append(log, SECTOR_BYTES + 100, 1);
        disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).times(1));
        assertThatThrownBy(log::force).isInstanceOf(IOException.class);
        append(log, 100, 2);
        log.force();
        disk.crash();

        byte[] survived = bytes(disk.file("log"));
        assertThat(survived).hasSize(SECTOR_BYTES + 200);
        assertThat(Arrays.copyOfRange(survived, 0, SECTOR_BYTES)).containsOnly(0);
        assertThat(Arrays.copyOfRange(survived, SECTOR_BYTES, SECTOR_BYTES + 100))
                .containsOnly(1);
        assertThat(Arrays.copyOfRange(survived, SECTOR_BYTES + 100, SECTOR_BYTES + 200))
                .containsOnly(2);
    }

    @Test
    void powerLossEndsTheBootInTheMiddleOfACall() {
        Set<Integer> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .on(Operation.WRITE)
                            .skip(1)
                            .times(1));
            write(store, 0, 2);
            assertThatThrownBy(() -> write(store, 0, 3))
                    .isInstanceOf(DiskCrashedException.class)
                    .hasMessageContaining("cannot write page 0 of pages: the power failed during the write of 4096");
            assertThatThrownBy(store::force).isInstanceOf(DiskCrashedException.class);
            assertThatThrownBy(() -> disk.file("log")).isInstanceOf(DiskCrashedException.class);
            assertThatThrownBy(() -> pages(disk)).isInstanceOf(DiskCrashedException.class);
            seen.add(sectors(crash(disk), 0)[0]);
        });
        assertThat(seen).as("also the write that failed may survive").containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void forceDuringWhichThePowerFailsForcesNothingForSure() {
        Set<Integer> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            write(store, 0, 2);
            disk.faults().add(FaultRule.of(DiskFault.POWER_LOSS).on(Operation.FORCE));
            assertThatThrownBy(store::force).isInstanceOf(DiskCrashedException.class);
            seen.add(sectors(crash(disk), 0)[0]);
        });
        assertThat(seen).containsExactlyInAnyOrder(1, 2);
    }
}
