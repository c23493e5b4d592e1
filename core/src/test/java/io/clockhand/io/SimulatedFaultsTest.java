// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static io.clockhand.io.FilledPages.PAGE_BYTES;
import static io.clockhand.io.FilledPages.SECTORS;
import static io.clockhand.io.FilledPages.append;
import static io.clockhand.io.FilledPages.bytes;
import static io.clockhand.io.FilledPages.filled;
import static io.clockhand.io.FilledPages.sectors;
import static io.clockhand.io.FilledPages.value;
import static io.clockhand.io.FilledPages.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The faults of a simulated disk: what each does to a page store and to a file, and which calls meet it. */
class SimulatedFaultsTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final SimulatedDisk disk = new SimulatedDisk(42);
    private PageStore store;
    private SimulatedFile log;

    @BeforeEach
    void open() throws IOException {
        store = disk.pages("pages", PAGE_BYTES);
        log = disk.file("log");
        write(store, 0, 1);
        append(log, 1_000, 1);
    }

    private void inject(DiskFault fault) {
        disk.faults().add(FaultRule.of(fault).times(1));
    }

    private void assertCounted(DiskFault fault, long count) {
        assertThat(disk.faults().count(fault)).isEqualTo(count);
        assertThat(disk.toString()).contains("simulated disk with seed 42").contains(fault + " at the ");
    }

    // --- kinds -------------------------------------------------------------------------------------------------------

    @Test
    void failedReadChangesNothing() throws IOException {
        inject(DiskFault.READ_ERROR);
        assertThatThrownBy(() -> value(store, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot read page 0 of pages: Input/output error"
                        + " (READ_ERROR injected by the simulated disk with seed 42)");
        assertThat(value(store, 0)).isEqualTo(1);

        inject(DiskFault.READ_ERROR);
        assertThatThrownBy(() -> log.read(7, ByteBuffer.allocate(8)))
                .hasMessageContaining("cannot read 8 bytes at 7 of log: Input/output error");
        assertCounted(DiskFault.READ_ERROR, 2);
    }

    @Test
    void shortReadFailsForAPageAndReturnsFewerBytesOfAFile() throws IOException {
        inject(DiskFault.SHORT_READ);
        assertThatThrownBy(() -> value(store, 0))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(EOFException.class)
                .hasMessageMatching("cannot read page 0 of pages: \\d+ of 4096 bytes were read");
        assertThat(value(store, 0)).isEqualTo(1);

        inject(DiskFault.SHORT_READ);
        ByteBuffer target = ByteBuffer.allocate(1_000);
        int read = log.read(0, target);
        assertThat(read).isBetween(1, 999).isEqualTo(target.position());
        assertThat(target.limit()).isEqualTo(1_000);
        assertThat(log.read(read, target)).isEqualTo(1_000 - read);
        assertThat(target.array()).containsOnly(1);
        assertCounted(DiskFault.SHORT_READ, 2);
    }

    @Test
    void failedWriteWritesNothing() throws IOException {
        inject(DiskFault.WRITE_ERROR);
        assertThatThrownBy(() -> write(store, 0, 2)).hasMessageContaining("cannot write page 0 of pages: Input/output");
        assertThat(value(store, 0)).isEqualTo(1);

        inject(DiskFault.WRITE_ERROR);
        assertThatThrownBy(() -> append(log, 9, 2)).hasMessageContaining("cannot write 9 bytes at 1000 of log");
        assertThat(bytes(log)).hasSize(1_000).containsOnly(1);
        assertCounted(DiskFault.WRITE_ERROR, 2);
    }

    @Test
    void shortWriteFailsForAPageAndWritesFewerBytesOfAFile() throws IOException {
        inject(DiskFault.SHORT_WRITE);
        assertThatThrownBy(() -> write(store, 0, 2))
                .hasMessageMatching("cannot write page 0 of pages: \\d+ of 4096 bytes were written");
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        store.read(0, page);
        assertThat(page.get(0)).isEqualTo((byte) 2);
        assertThat(page.get(PAGE_BYTES - 1)).isEqualTo((byte) 1);

        inject(DiskFault.SHORT_WRITE);
        ByteBuffer source = filled(500, 2);
        int written = log.write(1_000, source);
        assertThat(written).isBetween(1, 499).isEqualTo(source.position());
        assertThat(log.size()).isEqualTo(1_000 + written);
        assertCounted(DiskFault.SHORT_WRITE, 2);
    }

    @Test
    void transferOfOneByteIsNotShort() throws IOException {
        disk.faults().add(FaultRule.of(DiskFault.SHORT_READ));
        disk.faults().add(FaultRule.of(DiskFault.SHORT_WRITE));
        assertThat(log.write(0, filled(1, 2))).isEqualTo(1);
        assertThat(log.read(0, ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @Test
    void tornWriteWritesSomeSectorsAndFails() throws IOException {
        for (int i = 0; i < 20; i++) {
            write(store, 0, 1);
            inject(DiskFault.TORN_WRITE);
            assertThatThrownBy(() -> write(store, 0, 2)).hasMessageContaining("TORN_WRITE");
            long written =
                    Arrays.stream(sectors(store, 0)).filter(value -> value == 2).count();
            assertThat(written).isBetween(1L, SECTORS - 1L);
        }
        assertCounted(DiskFault.TORN_WRITE, 20);
    }

    @Test
    void incompletePageThatATornWriteHasAppendedIsIgnoredAndWrittenAgain() throws IOException {
        for (int i = 1; i <= 20; i++) {
            inject(DiskFault.TORN_WRITE);
            int page = i;
            assertThatThrownBy(() -> write(store, page, 2)).isInstanceOf(IOException.class);
            assertThat(store.pages()).isBetween((long) i, i + 1L);
            write(store, i, 3);
            assertThat(value(store, i)).isEqualTo(3);
            assertThat(store.pages()).isEqualTo(i + 1);
        }
    }

    @Test
    void withoutSpaceOnlyWritesThatExtendTheFileFail() throws IOException {
        disk.faults().add(FaultRule.of(DiskFault.NO_SPACE));
        write(store, 0, 2);
        assertThatThrownBy(() -> write(store, 1, 2))
                .hasMessageContaining("cannot write page 1 of pages: No space left on device");
        assertThatThrownBy(() -> append(log, 1, 1)).hasMessageContaining("No space left on device");
        assertThat(store.pages()).isEqualTo(1);
        disk.faults().clear();
        write(store, 1, 2);
        assertCounted(DiskFault.NO_SPACE, 2);
    }

    @Test
    void failedTruncationChangesNothing() throws IOException {
        inject(DiskFault.TRUNCATE_ERROR);
        assertThatThrownBy(() -> store.truncate(0)).hasMessageContaining("cannot truncate pages to 0 pages: Input/");
        assertThat(store.pages()).isEqualTo(1);
        inject(DiskFault.TRUNCATE_ERROR);
        assertThatThrownBy(() -> log.truncate(5)).hasMessageContaining("cannot truncate log to 5 bytes: Input/");
        assertThat(log.size()).isEqualTo(1_000);
        assertCounted(DiskFault.TRUNCATE_ERROR, 2);
    }

    @Test
    void interruptReachesTheThreadOfTheCallWhichSucceeds() throws IOException {
        inject(DiskFault.INTERRUPT);
        write(store, 0, 2);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(value(store, 0)).isEqualTo(2);
        assertThat(Thread.interrupted()).isFalse();
        assertCounted(DiskFault.INTERRUPT, 1);
    }

    @Test
    void delayIsWaitedForInFullThoughTheThreadIsInterrupted() throws IOException {
        disk.faults().add(FaultRule.delay(Duration.ofMillis(30)).on(Operation.FORCE));
        long begin = System.nanoTime();
        Thread.currentThread().interrupt();
        store.force();
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(30_000_000);
        assertThat(Thread.interrupted()).isTrue();
        assertCounted(DiskFault.DELAY, 1);
    }

    // --- which calls meet a fault ------------------------------------------------------------------------------------

    @Test
    void thirdWriteToAFileFailsOnce() throws IOException {
        disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).in("log").skip(2).times(1));
        for (int i = 1; i <= 5; i++) {
            write(store, 0, i);
            if (i == 3) {
                assertThatThrownBy(() -> append(log, 1, 1)).hasMessageContaining("WRITE_ERROR");
            } else {
                append(log, 1, 1);
            }
        }
        assertThat(disk.toString())
                .contains("WRITE_ERROR in log, after 2 calls, at most 1 times (5 calls matched)")
                .contains("WRITE_ERROR at the write of 1 bytes at 1002 of log");
    }

    @Test
    void ruleCanBeRestrictedToAPositionAndToOperations() throws IOException {
        write(store, 2, 1);
        disk.faults().add(FaultRule.of(DiskFault.READ_ERROR).in("pages").at(PAGE_BYTES));
        disk.faults().add(FaultRule.of(DiskFault.INTERRUPT).on(Operation.FORCE, Operation.TRUNCATE));
        assertThat(value(store, 0)).isEqualTo(1);
        assertThat(value(store, 2)).isEqualTo(1);
        assertThatThrownBy(() -> value(store, 1)).hasMessageContaining("READ_ERROR");
        assertThat(Thread.interrupted()).isFalse();
        store.truncate(1);
        assertThat(Thread.interrupted()).isTrue();
        store.force();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void sameSeedFailsTheSameCallsByChance() throws IOException {
        List<Integer> first = failedWrites(1);
        assertThat(failedWrites(1)).isEqualTo(first);
        assertThat(failedWrites(2)).isNotEqualTo(first);
        assertThat(first).hasSizeBetween(60, 140);
    }

    private static List<Integer> failedWrites(long seed) throws IOException {
        SimulatedDisk own = new SimulatedDisk(seed);
        PageStore pages = own.pages("pages", PAGE_BYTES);
        own.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).chance(0.1));
        List<Integer> failed = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            try {
                write(pages, 0, 1);
            } catch (IOException e) {
                failed.add(i);
            }
        }
        assertThat(own.faults().count(DiskFault.WRITE_ERROR)).isEqualTo(failed.size());
        return failed;
    }

    @Test
    void faultsAreSwitchedOffAndOn() throws IOException {
        disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).skip(1));
        disk.faults().off();
        write(store, 0, 2);
        write(store, 0, 3);
        assertThat(disk.toString()).contains("switched off: [WRITE_ERROR, after 1 calls (0 calls matched)]");
        disk.faults().on();
        write(store, 0, 4);
        assertThatThrownBy(() -> write(store, 0, 5)).isInstanceOf(IOException.class);
        disk.faults().clear();
        write(store, 0, 6);
        assertThat(value(store, 0)).isEqualTo(6);
    }

    @Test
    void firstFailureOfACallDecidesAndOtherRulesDoNotCountIt() throws IOException {
        inject(DiskFault.WRITE_ERROR);
        inject(DiskFault.TORN_WRITE);
        inject(DiskFault.INTERRUPT);
        assertThatThrownBy(() -> write(store, 0, 2)).hasMessageContaining("WRITE_ERROR");
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(() -> write(store, 0, 2)).hasMessageContaining("TORN_WRITE");
        write(store, 0, 3);
        assertThat(value(store, 0)).isEqualTo(3);
    }

    @Test
    void ruleIsAppliedAsOftenAsStatedWhileThreadsWrite() {
        disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).times(10));
        List<Workers.Worker<Integer>> writers = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int page = thread;
            writers.add(workers.start(() -> {
                int failures = 0;
                for (int i = 0; i < 200; i++) {
                    try {
                        write(store, page, 1);
                    } catch (IOException e) {
                        failures++;
                    }
                }
                return failures;
            }));
        }
        assertThat(writers.stream().mapToInt(Workers.Worker::result).sum()).isEqualTo(10);
        assertCounted(DiskFault.WRITE_ERROR, 10);
    }

    @Test
    void historyHasTheLatestFaults() throws IOException {
        disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR));
        for (int i = 0; i < 250; i++) {
            assertThatThrownBy(() -> write(store, 0, 1)).isInstanceOf(IOException.class);
        }
        assertThat(disk.toString()).contains("history: 150 earlier ones, ");
    }

    @Test
    void ruleThatMakesNoSenseIsRefused() {
        FaultRule rule = FaultRule.of(DiskFault.WRITE_ERROR);
        assertThatThrownBy(() -> rule.on(Operation.READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("WRITE_ERROR hits [WRITE] only, not [READ]");
        assertThatThrownBy(() -> rule.chance(1.1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rule.chance(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rule.skip(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rule.times(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rule.at(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FaultRule.delay(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FaultRule.of(DiskFault.DELAY)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SimulatedDisk(1, 500)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> disk.setWriteRate(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> disk.setCapacityBytes(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.read(-1, ByteBuffer.allocate(1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
