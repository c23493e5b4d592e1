// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.clockhand.io.FileOption;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import io.clockhand.wal.LogRecords.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A {@link LogFile} on a disk that loses and tears what was not forced. */
class LogFileCrashTest {
    private static final int LARGE = 5000;

    @RegisterExtension
    final Workers workers = new Workers();

    /** The log after a crash has all records that were durable, and of the others the first ones. */
    @Test
    void crashesLoseNoDurableRecord() {
        SeededDisks.run(Tier.pick(60, 300, 5000), disk -> new Run(disk, false).play(12));
    }

    /** The same, with faults of the disk between the crashes. */
    @Test
    void crashesAndFaultsLoseNoDurableRecord() {
        SeededDisks.run(Tier.pick(60, 300, 5000), disk -> new Run(disk, true).play(12));
    }

    /** As a process that ends by a failed force, which has dropped records that reads still show, and then a crash. */
    @Test
    void recordsThatAFailedForceHasDroppedAreWrittenAgain() {
        SeededDisks.run(Tier.pick(40, 100, 1000), disk -> {
            Run run = new Run(disk, false);
            run.open();
            run.append(600);
            run.log.makeDurable();
            run.append(900);
            disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).times(1));
            try {
                run.log.makeDurable();
            } catch (IOException e) {
                run.log.close();
            }
            disk.faults().clear();
            disk.kill();
            run.open();
            assertThat(run.model).as("records that reads still show").hasSize(2);
            disk.crash();
            run.open();
        });
    }

    /** The header of a new segment is in the cache only, since its force has failed. */
    @Test
    void headerThatAFailedForceHasDroppedIsWrittenAgain() {
        SeededDisks.run(Tier.pick(20, 60, 1000), disk -> {
            Run run = new Run(disk, false);
            disk.faults()
                    .add(FaultRule.of(DiskFault.FAILED_FORCE)
                            .in(Segment.nameOf(LogFile.FIRST_LSN))
                            .times(1));
            assertThatExceptionOfType(IOException.class).isThrownBy(run::open);
            disk.kill();
            run.open();
            run.append(600);
            run.makeDurable();
            disk.crash();
            run.open();
        });
    }

    /** The system could not force the directory when the segment was created, but the file is there. */
    @Test
    void nameOfASegmentWhoseCreationHasFailedIsForced() {
        SeededDisks.run(Tier.pick(20, 60, 1000), disk -> {
            Run run = new Run(disk, false);
            run.open();
            run.append(600);
            disk.faults()
                    .add(FaultRule.of(DiskFault.FAILED_FORCE)
                            .in(SimulatedDisk.DIRECTORY)
                            .times(1));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> run.log.append(new byte[LARGE]));
            assertThat(disk.fileNames())
                    .as("files after a creation that has failed")
                    .hasSize(2);
            run.append(LARGE);
            run.makeDurable();
            disk.crash();
            run.open();
            assertThat(disk.fileNames()).as("segments after a crash").hasSize(2);
        });
    }

    /** As by a program that copies files, which need not force their directory. */
    @Test
    void namesOfSegmentsThatWereRestoredAreForced() {
        SeededDisks.run(Tier.pick(20, 60, 1000), disk -> {
            Run run = new Run(disk, false);
            run.open();
            run.append(600);
            run.append(LARGE);
            run.makeDurable();
            run.log.close();
            restore(disk);
            run.open();
            disk.crash();
            run.open();
            assertThat(disk.fileNames()).as("segments after a crash").hasSize(2);
        });
    }

    /** Deletes each file, and creates it again with the same bytes; the bytes are forced, but the names are not. */
    private static void restore(SimulatedDisk disk) throws IOException {
        for (String name : disk.fileNames()) {
            SimulatedFile file = disk.file(name);
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(0, bytes);
            PageStore old = disk.pages(name, SimulatedSegments.PAGE_BYTES);
            old.delete();
            disk.forceNames();
            PageStore copy = disk.pages(name, SimulatedSegments.PAGE_BYTES);
            copy.writeRun(0, bytes.flip());
            copy.force();
        }
    }

    /** And that did not force the directory: then the segment after it must not be the only one that is gone. */
    @Test
    void segmentThatSomebodyHasDeletedLeavesNoGapAfterACrash() {
        SeededDisks.run(Tier.pick(60, 100, 1000), disk -> {
            Run run = new Run(disk, false);
            run.open();
            run.append(600);
            run.append(LARGE);
            run.append(LARGE);
            run.makeDurable();
            disk.pages(Segment.nameOf(LogFile.FIRST_LSN), SimulatedSegments.PAGE_BYTES)
                    .delete();
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .in(SimulatedDisk.DIRECTORY)
                            .skip(disk.seed() % 3)
                            .times(1));
            try {
                run.log.reclaim(run.end);
            } catch (IOException e) {
                // the power has failed
            }
            disk.faults().clear();
            disk.crash();
            run.open();
        });
    }

    /** Threads append and force until the power fails, in a log that is opened again and again. */
    @Test
    void crashesDuringLoadsLoseNoDurableRecord() {
        SeededDisks.run(Tier.pick(15, 60, 1000), disk -> {
            Map<Long, byte[]> appended = new ConcurrentHashMap<>();
            AtomicLong durable = new AtomicLong(LogFile.FIRST_LSN);
            Random random = new Random(disk.seed());
            for (int boot = 0; boot < 4; boot++) {
                LogFile log = openLog(disk, durable.get());
                checkRecords(log, appended);
                disk.faults()
                        .add(FaultRule.of(DiskFault.POWER_LOSS)
                                .on(Operation.WRITE, Operation.FORCE)
                                .skip(random.nextInt(150))
                                .times(1));
                List<Worker<Void>> threads = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    long seed = random.nextLong();
                    threads.add(workers.run(() -> appendUntilFailure(log, appended, durable, new Random(seed))));
                }
                threads.forEach(Worker::result);
                disk.faults().clear();
                disk.crash();
            }
            checkRecords(openLog(disk, durable.get()), appended);
        });
    }

    private static void appendUntilFailure(LogFile log, Map<Long, byte[]> appended, AtomicLong durable, Random random) {
        try {
            while (true) {
                byte[] record =
                        LogRecords.bytes(random.nextInt(30) == 0 ? 2500 : random.nextInt(300), random.nextLong());
                long lsn = log.append(record);
                appended.put(lsn, record);
                if (random.nextBoolean()) {
                    log.makeDurable(lsn);
                    durable.accumulateAndGet(lsn + LogRecords.HEADER + record.length, Math::max);
                }
            }
        } catch (IOException e) {
            // the power has failed
        }
    }

    private static void checkRecords(LogFile log, Map<Long, byte[]> appended) throws IOException {
        appended.keySet().removeIf(lsn -> lsn >= log.end());
        List<Entry> expected = new ArrayList<>();
        new TreeMap<>(appended).forEach((lsn, record) -> expected.add(new Entry(lsn, record)));
        assertThat(LogRecords.read(log)).as("records after a crash").isEqualTo(expected);
    }

    private static LogFile openLog(SimulatedDisk disk, long durable) throws IOException {
        return LogFile.builder(Path.of("none"))
                .bufferBytes(4 * SimulatedSegments.PAGE_BYTES)
                .segmentBytes(10 * SimulatedSegments.PAGE_BYTES)
                .waitTimeout(Patience.PATIENCE)
                .durableEnd(durable)
                .options(FileOption.CREATE)
                .open(new SimulatedSegments(disk));
    }

    private static final class Run {
        private final SimulatedDisk disk;
        private final boolean faults;
        private final Random random;
        /** What was appended and may still be there. */
        private final NavigableMap<Long, byte[]> model = new TreeMap<>();

        private LogFile log;
        /** All records below are durable. */
        private long durable = LogFile.FIRST_LSN;
        /** Where the next record must begin. */
        private long end = LogFile.FIRST_LSN;

        Run(SimulatedDisk disk, boolean faults) {
            this.disk = disk;
            this.faults = faults;
            this.random = new Random(disk.seed());
        }

        void play(int boots) throws IOException {
            for (int boot = 0; boot < boots; boot++) {
                disk.faults().clear();
                if (random.nextInt(4) == 0) { // the power fails during the opening, too
                    failPower(6);
                    try {
                        open(false);
                    } catch (IOException e) {
                        disk.crash();
                    }
                    disk.faults().clear();
                }
                open();
                failPower(60);
                if (faults) {
                    addFaults();
                }
                try {
                    work();
                } catch (IOException e) {
                    // the power has failed, or a force
                }
                end();
            }
            disk.faults().clear();
            open();
            log.close();
        }

        private void failPower(int calls) {
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .on(Operation.WRITE, Operation.FORCE, Operation.TRUNCATE)
                            .skip(random.nextInt(calls))
                            .times(1));
        }

        private void addFaults() {
            disk.faults().add(FaultRule.of(DiskFault.NO_SPACE).chance(0.05));
            disk.faults().add(FaultRule.of(DiskFault.TORN_WRITE).chance(0.05));
            disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).chance(0.05));
            disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).chance(0.03));
        }

        /** Ends the process in one of several ways. */
        private void end() {
            switch (random.nextInt(3)) {
                case 0 -> disk.crash();
                case 1 -> {
                    try {
                        log.close();
                        durable = Math.max(durable, log.durableEnd()); // a log that has failed forces nothing
                    } catch (IOException e) {
                        // the power has failed, or there is a fault
                    }
                    disk.crash();
                }
                default -> disk.kill();
            }
        }

        private void work() throws IOException {
            for (int step = 0; step < 80; step++) {
                int kind = random.nextInt(10);
                try {
                    if (kind < 6) {
                        append(random.nextInt(8) == 0 ? random.nextInt(LARGE) : random.nextInt(300));
                    } else if (kind < 9) {
                        long lsn = model.isEmpty() ? end : model.lastKey();
                        log.makeDurable(lsn);
                        durable = end;
                    } else {
                        log.reclaim(Math.max(log.begin(), durable - random.nextInt(20_000)));
                        model.headMap(log.begin()).clear();
                    }
                } catch (IOException e) {
                    if (faults && !String.valueOf(e.getMessage()).contains("has failed")) {
                        continue; // the log goes on
                    }
                    throw e;
                }
            }
        }

        void append(int length) throws IOException {
            byte[] record = LogRecords.bytes(length, random.nextLong());
            long lsn = log.append(record);
            assertThat(lsn).isEqualTo(end);
            model.put(lsn, record);
            end = lsn + LogRecords.HEADER + length;
        }

        void makeDurable() throws IOException {
            log.makeDurable();
            durable = end;
        }

        void open() throws IOException {
            open(true);
        }

        private void open(boolean checks) throws IOException {
            log = openLog(disk, durable);
            if (checks) {
                check();
            }
        }

        private void check() throws IOException {
            assertThat(log.end()).as("the end of the log").isBetween(durable, end);
            assertThat(log.durableEnd()).as("the durable LSN of an opened log").isEqualTo(log.end());
            model.headMap(log.begin()).clear();
            model.tailMap(log.end()).clear();
            List<Entry> expected = new ArrayList<>();
            for (Map.Entry<Long, byte[]> record : model.entrySet()) {
                expected.add(new Entry(record.getKey(), record.getValue()));
            }
            assertThat(LogRecords.read(log)).as("records after a crash").isEqualTo(expected);
            end = log.end();
            durable = end;
        }
    }
}
