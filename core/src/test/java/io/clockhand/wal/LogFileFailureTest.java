// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static io.clockhand.wal.LogRecords.append;
import static io.clockhand.wal.LogRecords.assertReads;
import static io.clockhand.wal.LogRecords.bytes;
import static io.clockhand.wal.LogRecords.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.clockhand.io.FileOption;
import io.clockhand.wal.HookedSegments.Call;
import io.clockhand.wal.LogRecords.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A {@link LogFile} whose calls to the system fail, or are interrupted. */
class LogFileFailureTest {
    private static final String FULL = "No space left on device";

    @TempDir
    Path folder;

    private final List<Entry> all = new ArrayList<>();
    private HookedSegments segments;

    private LogFile create() throws IOException {
        segments = new HookedSegments(folder);
        return small(folder, FileOption.CREATE).open(segments);
    }

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private void assertSurvives() throws IOException {
        try (LogFile log = small(folder).open()) {
            assertReads(log, all);
        }
    }

    private static void assertFails(ThrowingCallable call, String message) {
        assertThatExceptionOfType(IOException.class).isThrownBy(call).withMessageContaining(message);
    }

    // --- a full disk -------------------------------------------------------------------------------------------------

    @Test
    void logGoesOnWhenAFullDiskHasSpaceAgain() throws IOException {
        try (LogFile log = create()) {
            all.add(append(log, bytes(100, 1)));
            segments.fail(Call.WRITE, FULL);
            assertFails(log::makeDurable, FULL);
            assertFails(() -> log.makeDurable(all.get(0).lsn()), FULL);
            assertThat(log.durableEnd()).as("durable though no write succeeded").isEqualTo(LogFile.FIRST_LSN);
            all.add(append(log, bytes(50, 2)));
            assertFails(log::makeDurable, FULL);

            segments.succeed();

            log.makeDurable(all.get(0).lsn());
            all.add(append(log, bytes(3000, 3)));
            log.makeDurable();
            assertReads(log, all);
        }
        assertSurvives();
    }

    @Test
    void appendFailsWhenTheBuffersAreFullAndTheDiskIsToo() throws IOException {
        try (LogFile log = create()) {
            segments.fail(Call.WRITE, FULL);
            List<Entry> tries = new ArrayList<>();
            for (int buffer = 0; buffer < 2; buffer++) {
                assertFails(
                        () -> {
                            for (int i = 0; i < 1000; i++) {
                                tries.add(append(log, bytes(1000, i)));
                            }
                        },
                        FULL);
            }
            assertThat(tries).as("what two buffers hold").hasSizeBetween(20, 33);
            all.addAll(tries);
            assertFails(() -> log.append(bytes(5000, 5)), FULL);
            assertThat(log.end()).isEqualTo(all.get(all.size() - 1).lsn() + 1000 + LogRecords.HEADER);

            segments.succeed();

            all.add(append(log, bytes(5000, 5)));
            log.makeDurable();
            assertReads(log, all);
        }
        assertSurvives();
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "WRITE"})
    void segmentIsBegunWhenThereIsSpaceAgain(Call failing) throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 7; i++) {
                all.add(append(log, bytes(4000 - LogRecords.HEADER, i)));
                log.makeDurable();
            }
            AtomicInteger calls = new AtomicInteger();
            segments.hook = (call, segment) -> {
                if (call == failing) {
                    calls.incrementAndGet();
                    throw new IOException(FULL);
                }
            };
            assertFails(() -> log.append(bytes(4000, 8)), FULL);
            assertFails(() -> log.append(bytes(4000, 8)), FULL);
            assertThat(calls.get()).as("calls that failed").isGreaterThanOrEqualTo(2);
            assertThat(segments.list()).as("segments after a failed creation").hasSize(1);
            if (failing == Call.CREATE) {
                all.add(append(log, bytes(100, 9)));
                log.makeDurable();
            }

            segments.succeed();

            all.add(append(log, bytes(4000, 10)));
            log.makeDurable();
            assertReads(log, all);
        }
        assertSurvives();
    }

    /** Else it would be taken for the end of the former one, in which records go on. */
    @Test
    void segmentThatCannotBeDeletedFailsTheLog() throws IOException {
        LogFile log = create();
        all.add(append(log, bytes(10, 1)));
        log.makeDurable();
        segments.hook = (call, segment) -> {
            if (call == Call.DELETE || (call == Call.WRITE && !segment.equals(Segment.nameOf(LogFile.FIRST_LSN)))) {
                throw new IOException(FULL);
            }
        };
        assertFails(() -> log.append(bytes(50_000, 1)), FULL);
        assertThatExceptionOfType(IOException.class)
                .as("an append while a segment stays that could not be created")
                .isThrownBy(() -> log.append(bytes(10, 1)))
                .withMessageContaining("has failed");
        log.close();
        assertSurvives();
        assertThat(segments.list()).hasSize(1);
    }

    @Test
    void foreignFileWithTheNameOfTheNextSegmentStays() throws IOException {
        try (LogFile log = create()) {
            all.add(append(log, bytes(10, 1)));
            Path foreign = folder.resolve(Segment.nameOf(log.end()));
            Files.writeString(foreign, "mine");
            for (int i = 0; i < 2; i++) {
                assertFails(() -> log.append(bytes(50_000, 1)), foreign.toString());
                assertThat(foreign).hasContent("mine");
            }
            Files.delete(foreign);
            all.add(append(log, bytes(50_000, 1)));
        }
        assertSurvives();
    }

    @Test
    void largeRecordThatFailsIsWithdrawn() throws IOException {
        try (LogFile log = create()) {
            all.add(append(log, bytes(100, 1)));
            for (int failing = 0; ; failing++) {
                AtomicInteger left = new AtomicInteger(failing);
                long end = log.end();
                segments.hook = (call, segment) -> {
                    if (call == Call.WRITE && left.getAndDecrement() == 0) {
                        throw new IOException(FULL);
                    }
                };
                Entry large = new Entry(end, bytes(100_000, failing));
                try {
                    log.append(bytes(100_000, failing));
                    assertThat(failing).as("writes of a large record").isGreaterThan(5);
                    all.add(large);
                    break;
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining(FULL);
                    assertThat(log.end())
                            .as("the end after a record that failed")
                            .isEqualTo(end);
                }
                segments.succeed();
                if (failing % 2 == 0) {
                    all.add(append(log, bytes(20, failing)));
                    log.makeDurable();
                    assertReads(log, all);
                }
            }
            segments.succeed();
            all.add(append(log, bytes(7, 7)));
            log.makeDurable();
            assertReads(log, all);
        }
        assertSurvives();
    }

    // --- a failed force ----------------------------------------------------------------------------------------------

    @Test
    void failedForceIsFinal() throws IOException {
        LogFile log = create();
        all.add(append(log, bytes(100, 1)));
        log.makeDurable();
        long lsn = log.append(bytes(100, 2));
        segments.fail(Call.FORCE, "Input/output error");
        assertFails(() -> log.makeDurable(lsn), "Input/output error");
        segments.succeed();

        assertThatExceptionOfType(LogFailedException.class)
                .as("a force after one that failed")
                .isThrownBy(() -> log.makeDurable(lsn))
                .withMessageContaining("has failed: Input/output error")
                .withCause(new IOException("Input/output error"));
        assertThatExceptionOfType(LogFailedException.class)
                .as("an append after a force that failed")
                .isThrownBy(() -> log.append(bytes(1, 1)))
                .withMessageContaining("has failed: Input/output error");
        assertThatExceptionOfType(IOException.class)
                .as("a force of what was durable before")
                .isThrownBy(() -> log.makeDurable(all.get(0).lsn()));
        assertThat(log.durableEnd()).isEqualTo(lsn);
        assertReads(log, all);
        int forces = segments.forces.get();
        log.close();
        assertThat(segments.forces.get()).as("forces by the close").isEqualTo(forces);
        try (LogFile again = small(folder).open()) {
            assertThat(LogRecords.read(again)).startsWith(all.get(0));
        }
    }

    @Test
    void failedForceOfANewSegmentIsFinal() throws IOException {
        LogFile log = create();
        String first = Segment.nameOf(LogFile.FIRST_LSN);
        segments.hook = (call, segment) -> {
            if (call == Call.FORCE && !segment.equals(first)) {
                throw new IOException("Input/output error");
            }
        };
        assertFails(
                () -> {
                    for (int i = 0; i < 100; i++) {
                        append(log, bytes(1000, i));
                    }
                },
                "Input/output error");
        segments.succeed();
        assertFails(log::makeDurable, "has failed: Input/output error");
        log.close();
        small(folder).open().close();
    }

    @Test
    void openFailsIfTheForceDoes() throws IOException {
        try (LogFile log = create()) {
            all.add(append(log, bytes(100, 1)));
        }
        segments.fail(Call.FORCE, "Input/output error");
        assertFails(() -> small(folder).open(segments), "Input/output error");
        segments.succeed();
        try (LogFile log = small(folder).open(segments)) {
            assertReads(log, all);
        }
    }

    @Test
    void whatIsFoundIsForcedBeforeTheLogIsUsed() throws IOException {
        try (LogFile log = create()) {
            all.add(append(log, bytes(100, 1)));
        }
        int before = segments.forces.get();
        try (LogFile log = small(folder).open(segments)) {
            assertThat(segments.forces.get()).as("forces by the opening").isEqualTo(before + 1);
            assertThat(log.durableEnd()).isEqualTo(log.end());
        }
    }

    @Test
    void errorOfAForceIsFinal() throws IOException {
        LogFile log = create();
        log.append(bytes(100, 2));
        segments.hook = (call, segment) -> {
            throw new StackOverflowError("injected");
        };
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(log::makeDurable);
        segments.hook = (call, segment) -> {
            if (call == Call.FORCE) {
                throw new StackOverflowError("injected");
            }
        };
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(log::makeDurable);
        segments.succeed();
        assertFails(log::makeDurable, "has failed: injected");
        log.close();
    }

    // --- other failures ----------------------------------------------------------------------------------------------

    @Test
    void closeThatFailsClosesAll() throws IOException {
        LogFile log = create();
        log.append(bytes(100, 1));
        segments.fail(Call.WRITE, FULL);
        assertFails(log::close, FULL);
        log.close();
        segments.succeed();
        small(folder).open().close();
    }

    @Test
    void failedReclaimIsRepeated() throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 40; i++) {
                all.add(append(log, bytes(3000, i)));
            }
            log.makeDurable();
            int before = segments.list().size();
            segments.fail(Call.DELETE, "Permission denied");
            assertFails(() -> log.reclaim(log.end()), "Permission denied");
            assertThat(segments.list()).hasSize(before);
            segments.succeed();
            assertThat(log.reclaim(log.end())).isEqualTo(before - 1);
            assertThat(segments.list()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void segmentThatSomebodyHasDeletedIsReclaimed(boolean isOpen) throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 40; i++) {
                all.add(append(log, bytes(3000, i)));
            }
            log.makeDurable();
            int before = segments.list().size();
            if (isOpen) {
                segments.fail(Call.DELETE, "Permission denied");
                assertFails(() -> log.reclaim(log.end()), "Permission denied");
                segments.succeed();
            }
            Files.delete(folder.resolve(Segment.nameOf(LogFile.FIRST_LSN)));
            assertThatCode(() -> log.reclaim(log.end()))
                    .as("reclaiming when the oldest segment is gone")
                    .doesNotThrowAnyException();
            assertThat(before).isGreaterThan(2);
            assertThat(segments.list()).hasSize(1);
            assertThat(segments.openStores()).as("open segments").hasSize(1);
            all.removeIf(entry -> entry.lsn() < log.begin());
            assertReads(log, all);
        }
        assertSurvives();
    }

    /** Else another thread could begin to read what is being deleted. */
    @Test
    void logBeginsLaterBeforeASegmentIsDeleted() throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 40; i++) {
                append(log, bytes(3000, i));
            }
            log.makeDurable();
            AtomicInteger deleted = new AtomicInteger();
            segments.hook = (call, segment) -> {
                if (call == Call.DELETE) {
                    deleted.incrementAndGet();
                    long first = Long.parseLong(segment.substring(0, 16), 16);
                    assertThat(log.begin())
                            .as("the beginning of the log while %s is deleted", segment)
                            .isGreaterThan(first);
                    assertThatIllegalArgumentException().isThrownBy(() -> log.newReader(first));
                }
            };
            assertThat(log.reclaim(log.end())).isEqualTo(deleted.get()).isGreaterThan(1);
        }
    }

    // --- readers -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(names = {"OPEN", "READ"})
    void readerThatFailsLeavesNoStoreOpen(Call failing) throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 40; i++) {
                all.add(append(log, bytes(3000, i)));
            }
            log.makeDurable();
            Set<String> before = segments.openStores();
            for (int skip = 0; skip < 3; skip++) {
                AtomicInteger left = new AtomicInteger(skip);
                segments.hook = (call, segment) -> {
                    if (call == failing && left.getAndDecrement() == 0) {
                        throw new IOException("injected");
                    }
                };
                assertFails(() -> LogRecords.read(log), "injected");
                segments.succeed();
                assertThat(segments.openStores())
                        .as("open segments after a reader has failed")
                        .isEqualTo(before);
            }
            assertReads(log, all);
            assertThat(segments.openStores()).as("open segments after a reader").isEqualTo(before);
            assertThat(log.reclaim(log.end())).isPositive();
            assertThat(segments.list()).as("segments that a reader had").hasSize(1);
        }
    }

    @Test
    void readerOfDamageLeavesNoStoreOpen() throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 40; i++) {
                all.add(append(log, bytes(3000, i)));
            }
            log.makeDurable();
            Set<String> before = segments.openStores();
            assertThatExceptionOfType(LogDamagedException.class)
                    .isThrownBy(() -> LogRecords.read(log, LogFile.FIRST_LSN + 1));
            assertThat(segments.openStores())
                    .as("open segments after a reader has failed")
                    .isEqualTo(before);
            assertThat(log.reclaim(log.end())).isPositive();
        }
    }

    @Test
    void closedReaderHoldsNoSegment() throws IOException {
        try (LogFile log = create()) {
            for (int i = 0; i < 40; i++) {
                all.add(append(log, bytes(3000, i)));
            }
            log.makeDurable();
            try (LogReader reader = log.newReader(log.begin())) {
                assertThat(reader.next()).isTrue();
                assertThat(log.reclaim(log.end()))
                        .as("segments reclaimed under a reader")
                        .isZero();
                reader.close();
                assertThat(log.reclaim(log.end()))
                        .as("segments reclaimed after a reader")
                        .isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OPEN", "READ", "WRITE", "FORCE", "TRUNCATE"})
    void openThatFailsLeavesNoLock(Call failing) throws IOException {
        try (LogFile log = create()) {
            all.add(append(log, bytes(100, 1)));
        }
        for (int skip = 0; skip < 2; skip++) {
            AtomicInteger left = new AtomicInteger(skip);
            segments.hook = (call, segment) -> {
                if (call == failing && left.getAndDecrement() == 0) {
                    throw new IOException("injected");
                }
            };
            try {
                small(folder).open(segments).close();
                assertThat(left.get()).as("calls before the one that fails").isNotNegative();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("injected");
            }
            segments.succeed();
            assertSurvives();
        }
    }

    @Test
    void deletedSegmentIsReported() throws IOException {
        LogFile log = create();
        log.makeDurable(log.append(bytes(100, 1)));
        Files.delete(folder.resolve(Segment.nameOf(LogFile.FIRST_LSN)));
        long lsn = log.append(bytes(100, 2));
        assertFails(() -> log.makeDurable(lsn), "deleted");
        assertFails(() -> log.append(bytes(100, 3)), "has failed");
        assertFails(log::close, "deleted");
        log.close();
    }

    // --- interrupts --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptsCloseNothing(boolean duringCalls) throws IOException {
        segments = new HookedSegments(folder);
        segments.hook = (call, segment) -> {
            if (duringCalls) {
                Thread.currentThread().interrupt();
            }
        };
        Thread.currentThread().interrupt();
        try (LogFile log = small(folder, FileOption.CREATE).open(segments)) {
            for (int i = 0; i < 60; i++) {
                Thread.currentThread().interrupt();
                all.add(append(log, bytes(i % 10 == 9 ? 20_000 : 1000, i)));
                Thread.currentThread().interrupt();
                log.makeDurable();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
            assertReads(log, all);
            log.reclaim(all.get(30).lsn());
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(LogRecords.read(log, all.get(30).lsn())).isEqualTo(all.subList(30, 60));
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThatCode(() -> small(folder).open().close()).doesNotThrowAnyException();
    }
}
