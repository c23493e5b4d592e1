// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.FileOption;
import io.clockhand.io.PageStore;
import io.clockhand.testing.FailingCalls;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Patience;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.wal.LogRecords.Entry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each call of a {@link LogFile} to its segments fails once, by an error: no lock stays, and no record is wrong. */
class LogFileStepsTest {
    private static final int MOST_CALLS = 10_000;

    private final FailingCalls calls = new FailingCalls();

    @ParameterizedTest
    @EnumSource(Kind.class)
    void callThatFailsLeavesNoLockAndNoWrongRecord(Kind kind) throws IOException {
        int number = 1;
        while (failAt(number, kind)) {
            number++;
            assertThat(number).as("calls of a run").isLessThan(MOST_CALLS);
        }
        assertThat(number).as("calls of a run").isGreaterThan(50);
    }

    /** {@return whether there was such a call} */
    private boolean failAt(int number, Kind kind) throws IOException {
        SimulatedDisk disk = new SimulatedDisk(number);
        List<Entry> appended = new ArrayList<>();
        long durable = LogFile.FIRST_LSN;
        calls.failAt(number, kind, true);
        try (LogFile log = open(new Failing(disk))) {
            for (int i = 0; i < 40; i++) {
                byte[] record = LogRecords.bytes(i % 13 == 12 ? 3000 : i * 37 % 700, i);
                try {
                    long lsn = log.append(record);
                    appended.add(new Entry(lsn, record));
                    if (i % 3 == 0) {
                        log.makeDurable(lsn);
                        assertThat(log.durableEnd()).isGreaterThan(lsn);
                        durable = log.durableEnd();
                    }
                } catch (IOException | RuntimeException | Error e) {
                    assertInjected(e);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            assertInjected(e);
        }
        boolean failed = calls.hasFailed();
        calls.succeed();
        disk.crash();
        try (LogFile log = open(new SimulatedSegments(disk))) {
            List<Entry> found = LogRecords.read(log);
            assertThat(log.end())
                    .as("the end after a failure at %s", calls.place())
                    .isGreaterThanOrEqualTo(durable);
            assertThat(appended.subList(0, found.size()))
                    .as("records after a failure at %s", calls.place())
                    .isEqualTo(found);
        }
        return failed;
    }

    private void assertInjected(Throwable failure) {
        if (!calls.isInjected(failure)) {
            throw new AssertionError("after a failure at " + calls.place(), failure);
        }
    }

    private static LogFile open(SegmentStores segments) throws IOException {
        return LogFile.builder(Path.of("none"))
                .bufferBytes(4 * SimulatedSegments.PAGE_BYTES)
                .segmentBytes(10 * SimulatedSegments.PAGE_BYTES)
                .waitTimeout(Patience.PATIENCE)
                .options(FileOption.CREATE)
                .open(segments);
    }

    /** Segments whose stores fail; a close cannot be repeated, so it does not. */
    private final class Failing implements SegmentStores {
        private final SegmentStores segments;

        Failing(SimulatedDisk disk) {
            segments = new SimulatedSegments(disk);
        }

        @Override
        public String name() {
            return segments.name();
        }

        @Override
        public int pageBytes() {
            return segments.pageBytes();
        }

        @Override
        public Closeable own(boolean create) throws IOException {
            return segments.own(create);
        }

        @Override
        public List<String> list() throws IOException {
            return segments.list();
        }

        @Override
        public PageStore open(String segment, boolean create) throws IOException {
            calls.at("open");
            return calls.failing(PageStore.class, segments.open(segment, create), "close");
        }

        @Override
        public void force() throws IOException {
            segments.force();
        }
    }
}
