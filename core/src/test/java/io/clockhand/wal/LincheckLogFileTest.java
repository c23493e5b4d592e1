// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.clockhand.internal.frame.StackReserve;
import io.clockhand.io.FileOption;
import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Tier;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Two threads that append to a log, force it and read it, in the interleavings of their steps. */
class LincheckLogFileTest {
    /** The length of a record of which two do not fit into a segment. */
    private static final int LARGE = 2 * SimulatedSegments.PAGE_BYTES;

    private static final int SMALL = 1;

    /** A log with one record. */
    static class Log {
        private final int length;
        private final LogFile log;
        private final LogReader reader;
        private final long[] lsns = new long[3];
        private volatile String failure = "";

        Log(int length) throws IOException {
            this.length = length;
            log = LogFile.builder(Path.of("none"))
                    .bufferBytes(4 * SimulatedSegments.PAGE_BYTES)
                    .segmentBytes(4 * SimulatedSegments.PAGE_BYTES)
                    .waitTimeout(Patience.PATIENCE)
                    .options(FileOption.CREATE)
                    .open(new SimulatedSegments(new SimulatedDisk(1)));
            append(0);
            log.makeDurable();
            reader = log.newReader(lsns[0]);
            reader.next();
        }

        private void append(int number) throws IOException {
            byte[] record = new byte[length];
            Arrays.fill(record, (byte) number);
            long before = log.end();
            lsns[number] = log.append(record);
            expect(lsns[number] >= before && log.end() > lsns[number], "the log does not end behind its records");
        }

        private void expect(boolean holds, String otherwise) {
            if (!holds) {
                failure = otherwise;
            }
        }

        final void appendAndForce(int number) {
            try {
                append(number);
                log.makeDurable(lsns[number]);
                expect(log.durableEnd() > lsns[number], "the record is not durable");
                expect(log.durableEnd() <= log.end(), "the log is durable past its end");
            } catch (IOException | RuntimeException e) {
                failure = e.toString();
            }
        }

        final void readOn() {
            try {
                long durable = log.durableEnd();
                boolean found = reader.next();
                expect(found || durable <= reader.lsn() + LogRecords.HEADER + length, "a durable record is not read");
                expect(!found || isRecord(reader, 1), "the bytes are wrong");
            } catch (IOException | RuntimeException e) {
                failure = e.toString();
            }
        }

        private boolean isRecord(LogReader reader, int number) {
            byte[] bytes = reader.bytes();
            return bytes.length == length && bytes[0] == number && bytes[length - 1] == number;
        }

        /** Throws unless the last records are in the log, each at its LSN. */
        final void check(int records) {
            if (!failure.isEmpty()) {
                throw new IllegalStateException(failure);
            }
            int found = 0;
            try (LogReader all = log.newReader(lsns[0])) {
                while (all.next()) {
                    for (int number = 0; number <= records; number++) {
                        found += all.lsn() == lsns[number] && isRecord(all, number) ? 1 : 0;
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            if (found != records + 1) {
                throw new IllegalStateException("the log has " + found + " of " + (records + 1) + " records");
            }
        }
    }

    /** One force may serve both threads. */
    public static final class TwoCommits extends Log {
        public TwoCommits() throws IOException {
            super(SMALL);
        }

        @Operation(runOnce = true)
        public void first() {
            appendAndForce(1);
        }

        @Operation(runOnce = true)
        public void second() {
            appendAndForce(2);
        }

        @Validate
        public void bothRecordsAreThere() {
            check(2);
        }
    }

    /** The reader is at the end of a segment while the next one is begun. */
    public static final class CommitAndRead extends Log {
        public CommitAndRead() throws IOException {
            super(LARGE);
        }

        @Operation(runOnce = true)
        public void commit() {
            appendAndForce(1);
        }

        @Operation(runOnce = true)
        public void read() {
            readOn();
        }

        @Validate
        public void recordIsThere() {
            check(1);
        }
    }

    /** Calls of a store are one step each; what one thread does with its own buffers is none. */
    private static void check(Class<?> race, int invocations) {
        new ModelCheckingOptions()
                .addGuarantee(forClasses(
                                SimulatedSegments.class.getName(),
                                SimulatedSegments.class.getName() + "$Store",
                                ForwardingPageStore.class.getName(),
                                PageStore.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(forClasses(
                                LogBuffer.class.getName(),
                                RecordFormat.class.getName(),
                                SegmentHeader.class.getName(),
                                SegmentInput.class.getName(),
                                StackReserve.class.getName())
                        .allMethods()
                        .ignore())
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(invocations)
                .loopBound(10_000)
                .minimizeFailedScenario(false)
                .check(race);
    }

    @Test
    void recordsOfTwoThreadsAreDurableAndApart() {
        check(TwoCommits.class, Tier.pick(300, 1_000, 20_000));
    }

    @Test
    void readerFindsTheRecordInTheNextSegment() {
        check(CommitAndRead.class, Tier.pick(300, 1_000, 20_000));
    }
}
