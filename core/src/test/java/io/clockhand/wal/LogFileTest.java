// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static io.clockhand.wal.LogRecords.HEADER;
import static io.clockhand.wal.LogRecords.append;
import static io.clockhand.wal.LogRecords.assertReads;
import static io.clockhand.wal.LogRecords.bytes;
import static io.clockhand.wal.LogRecords.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.DirectFolder;
import io.clockhand.wal.LogRecords.Entry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a {@link LogFile} does while nothing fails. */
class LogFileTest {
    private static final int PAGE = 4096;
    private static final int BUFFER = 1 << 14;
    private static final int SEGMENT = 1 << 15;

    @TempDir
    Path folder;

    private LogFile create() throws IOException {
        return small(folder, FileOption.CREATE).open();
    }

    private LogFile createUnforced() throws IOException {
        return small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder));
    }

    @Test
    void readsWhatWasAppendedAndMadeDurable() throws IOException {
        try (LogFile log = create()) {
            Entry first = append(log, bytes(100, 1));
            Entry second = append(log, bytes(10, 2));
            assertReads(log, List.of());

            log.makeDurable(second.lsn());

            assertReads(log, List.of(first, second));
            assertThat(LogRecords.read(log, second.lsn())).containsExactly(second);
            assertThat(LogRecords.read(log, log.end())).isEmpty();
        }
    }

    @Test
    void lsnIsWhereTheRecordBegins() throws IOException {
        try (LogFile log = create()) {
            assertThat(log.begin()).isEqualTo(LogFile.FIRST_LSN);
            assertThat(log.end()).isEqualTo(LogFile.FIRST_LSN);

            assertThat(log.append(new byte[7])).isEqualTo(LogFile.FIRST_LSN);
            assertThat(log.end()).isEqualTo(LogFile.FIRST_LSN + HEADER + 7);
            assertThat(log.append(new byte[0])).isEqualTo(LogFile.FIRST_LSN + HEADER + 7);
            assertThat(log.durableEnd()).isEqualTo(LogFile.FIRST_LSN);

            log.makeDurable(LogFile.FIRST_LSN);
            assertThat(log.durableEnd()).as("all that was appended").isEqualTo(log.end());
        }
    }

    static Stream<Integer> sizes() {
        Stream.Builder<Integer> sizes = Stream.builder();
        for (int limit : new int[] {HEADER, PAGE, BUFFER - PAGE, BUFFER, SEGMENT - PAGE, SEGMENT, 3 * SEGMENT}) {
            for (int off : new int[] {-HEADER - 1, -HEADER, -HEADER + 1, -1, 0, 1}) {
                sizes.add(Math.max(0, limit + off));
            }
        }
        return sizes.build().distinct();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PAGE - 2 * HEADER, PAGE})
    void recordsOfAllSizesSurvive(int before) throws IOException {
        List<Entry> all = new ArrayList<>();
        try (LogFile log = createUnforced()) {
            for (int size : sizes().toList()) {
                all.add(append(log, bytes(before, size)));
                all.add(append(log, bytes(size, size)));
            }
            log.makeDurable();
            assertReads(log, all);
        }
        try (LogFile log = small(folder).open(HookedSegments.unforced(folder))) {
            assertReads(log, all);
            all.add(append(log, bytes(5, 5)));
            log.makeDurable();
            assertReads(log, all);
        }
    }

    @Test
    void eachRecordMadeDurableByItselfSurvives() throws IOException {
        List<Entry> all = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (LogFile log = createUnforced()) {
                for (int i = 0; i < 200; i++) {
                    Entry entry = append(log, bytes(i * 7 % 900, i));
                    log.makeDurable(entry.lsn());
                    all.add(entry);
                }
                assertReads(log, all);
            }
        }
        assertThat(segments()).hasSizeGreaterThan(5);
    }

    @Test
    void directLogReadsWhatItHasWritten() throws IOException {
        DirectFolder.assumePagesOf(PAGE, folder);
        Path direct = folder.resolve("direct");
        List<Entry> all = new ArrayList<>();
        try (LogFile log = small(direct, FileOption.CREATE, FileOption.DIRECT).open()) {
            for (int size : sizes().toList()) {
                all.add(append(log, bytes(size, size)));
                log.makeDurable();
            }
            assertReads(log, all);
        }
        try (LogFile log = small(direct, FileOption.DIRECT).open()) {
            assertReads(log, all);
        }
        try (LogFile log = small(direct).open()) {
            assertReads(log, all);
            all.add(append(log, bytes(100, 1)));
        }
        List<String> names = new FileSegments(direct, false).list();
        String last = names.stream().max(String::compareTo).orElseThrow();
        try (RandomAccessFile file = new RandomAccessFile(direct.resolve(last).toFile(), "rw")) {
            file.setLength(file.length() - PAGE + 20);
        }
        try (LogFile log = small(direct, FileOption.DIRECT).open()) {
            assertReads(log, all.subList(0, all.size() - 1));
        }
    }

    @Test
    void positionAndLimitOfTheBufferStay() throws IOException {
        ByteBuffer record = ByteBuffer.allocate(100);
        record.position(40).limit(43);
        record.put(40, (byte) 1).put(41, (byte) 2).put(42, (byte) 3);
        try (LogFile log = create()) {
            long lsn = log.append(record);
            log.makeDurable(lsn);
            assertReads(log, List.of(new Entry(lsn, new byte[] {1, 2, 3})));
        }
        assertThat(record.position()).isEqualTo(40);
        assertThat(record.limit()).isEqualTo(43);
    }

    @Test
    void readerGoesOnWhenMoreIsDurable() throws IOException {
        try (LogFile log = createUnforced();
                LogReader reader = log.newReader(log.end())) {
            for (int i = 0; i < 400; i++) {
                byte[] record = bytes(i * 11 % 700, i);
                long lsn = log.append(record);
                assertThat(reader.next())
                        .as("record %s before it is durable", i)
                        .isFalse();
                log.makeDurable(lsn);
                assertThat(reader.next()).as("record %s", i).isTrue();
                assertThat(reader.lsn()).isEqualTo(lsn);
                assertThat(reader.bytes()).isEqualTo(record);
            }
        }
    }

    @Test
    void closeMakesAllDurable() throws IOException {
        Entry entry;
        try (LogFile log = create()) {
            entry = append(log, bytes(1000, 1));
        }
        try (LogFile log = small(folder).open()) {
            assertReads(log, List.of(entry));
        }
    }

    @Test
    void firstLsnCanBeChosen() throws IOException {
        try (LogFile log =
                small(folder, FileOption.CREATE).firstLsn(1_000_000_007).open()) {
            assertThat(log.append(new byte[3])).isEqualTo(1_000_000_007);
        }
        try (LogFile log = small(folder, FileOption.CREATE).firstLsn(5).open()) {
            assertThat(log.begin()).isEqualTo(1_000_000_007);
            assertThat(log.end()).isEqualTo(1_000_000_007 + HEADER + 3);
        }
    }

    // --- reclaim -----------------------------------------------------------------------------------------------------

    @Test
    void segmentsBelowAnLsnAreReclaimed() throws IOException {
        List<Entry> all = new ArrayList<>();
        try (LogFile log = create()) {
            for (int i = 0; i < 100; i++) {
                all.add(append(log, bytes(2000, i)));
            }
            log.makeDurable();
            Entry needed = all.get(50);
            assertThat(log.reclaim(LogFile.FIRST_LSN)).isZero();

            int deleted = log.reclaim(needed.lsn());

            assertThat(deleted).isPositive();
            assertThat(log.begin()).isGreaterThan(LogFile.FIRST_LSN).isLessThanOrEqualTo(needed.lsn());
            assertThat(LogRecords.read(log, needed.lsn())).isEqualTo(all.subList(50, 100));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.newReader(log.begin() - 1))
                    .withMessageContaining("begins at " + log.begin());
            assertThat(log.reclaim(needed.lsn())).isZero();
        }
        try (LogFile log = small(folder).open()) {
            assertThat(log.begin()).isGreaterThan(LogFile.FIRST_LSN);
            assertThat(LogRecords.read(log, all.get(50).lsn())).isEqualTo(all.subList(50, 100));
            log.reclaim(log.end());
            assertThat(segments()).hasSize(1);
            assertThat(log.end()).isGreaterThan(all.get(99).lsn());
            assertThatIllegalArgumentException().isThrownBy(() -> log.reclaim(log.end() + 1));
        }
    }

    @Test
    void segmentOfAReaderIsNotReclaimed() throws IOException {
        List<Entry> all = new ArrayList<>();
        try (LogFile log = create()) {
            for (int i = 0; i < 60; i++) {
                all.add(append(log, bytes(2000, i)));
            }
            log.makeDurable();
            List<Entry> found = new ArrayList<>();
            try (LogReader reader = log.newReader(log.begin())) {
                while (reader.next()) {
                    found.add(new Entry(reader.lsn(), reader.bytes()));
                    log.reclaim(log.end());
                    assertThat(log.begin())
                            .as("the beginning of the log that a reader reads")
                            .isLessThanOrEqualTo(reader.lsn());
                }
            }
            assertThat(found).isEqualTo(all);
        }
    }

    // --- which log ---------------------------------------------------------------------------------------------------

    @Test
    void logThatIsMissingIsNotCreatedUnasked() throws IOException {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> small(folder).open())
                .withMessageContaining("FileOption.CREATE");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> small(folder.resolve("none")).open());
        assertThat(folder).isEmptyDirectory();

        create().close();
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> small(folder, FileOption.CREATE_NEW).open());
    }

    @Test
    void folderIsCreatedWithTheLog() throws IOException {
        Path deep = folder.resolve("a/b");
        small(deep, FileOption.CREATE_NEW).open().close();
        small(deep).open().close();
    }

    @Test
    void fileThatIsNoSegmentIsRefusedByNameAndStays() throws IOException {
        Path foreign = folder.resolve("0000000000001000.log");
        Files.writeString(foreign, "no segment");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::create)
                .withMessageContaining(foreign.getFileName().toString())
                .withMessageContaining("no segment of a log");
        assertThat(foreign).hasContent("no segment");
    }

    @Test
    void segmentOfAnotherLogIsRefusedByName() throws IOException {
        Path other = folder.resolve("other");
        try (LogFile log = small(other, FileOption.CREATE).firstLsn(1 << 20).open()) {
            log.append(new byte[10]);
        }
        Path own = folder.resolve("own");
        try (LogFile log = small(own, FileOption.CREATE).open()) {
            log.append(new byte[10]);
        }
        Files.copy(other.resolve(Segment.nameOf(1 << 20)), own.resolve(Segment.nameOf(1 << 20)));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> small(own).open())
                .withMessageContaining("another log")
                .withMessageContaining(Segment.nameOf(1 << 20));

        Files.copy(other.resolve(Segment.nameOf(1 << 20)), own.resolve(Segment.nameOf(1 << 21)));
        Files.delete(own.resolve(Segment.nameOf(1 << 20)));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> small(own).open())
                .withMessageContaining("its name should be " + Segment.nameOf(1 << 20));
    }

    @Test
    void otherFilesOfTheFolderAreLeftAlone() throws IOException {
        Files.writeString(folder.resolve("notes.log"), "mine");
        create().close();
        assertThat(folder.resolve("notes.log")).hasContent("mine");
    }

    @Test
    void logHasOneOwnerInThisJvm() throws IOException {
        try (LogFile log = create()) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(this::create)
                    .withMessageContaining("open already in this JVM");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(
                            () -> FilePageStore.open(folder.resolve(segments().get(0)), PAGE))
                    .withMessageContaining("open already in this JVM");
            log.makeDurable(log.append(new byte[10]));
            assertThat(openElsewhere())
                    .as("the lock after attempts in this JVM")
                    .contains("in use by another process");
            log.makeDurable(log.append(new byte[10]));
        }
        assertThat(openElsewhere()).contains("opened");
    }

    private String openElsewhere() throws IOException {
        try {
            return ChildJvm.run(
                    List.of("-cp", System.getProperty("java.class.path"), Opener.class.getName(), folder.toString()));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Opens the log in another process. */
    static final class Opener {
        public static void main(String[] arguments) {
            try (LogFile log = LogFile.builder(Path.of(arguments[0])).open()) {
                System.out.println("opened " + log);
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    // --- misuse ------------------------------------------------------------------------------------------------------

    @Test
    void misuseIsRefused() throws IOException {
        LogFile log = create();
        log.append(new byte[10]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.makeDurable(log.end() + 1))
                .withMessageContaining("ends at " + log.end());
        assertThatIllegalArgumentException().isThrownBy(() -> log.newReader(log.end() + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> small(folder, FileOption.READ_ONLY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> small(folder).bufferBytes(100).open());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> small(folder).segmentBytes(100).open());
        log.makeDurable(-1);
        LogReader reader = log.newReader(log.begin());
        assertThatIllegalStateException().isThrownBy(reader::bytes);
        log.close();
        log.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> log.append(new byte[10]))
                .withMessageContaining("closed");
        assertThatIllegalStateException().isThrownBy(() -> log.newReader(log.begin()));
        assertThatIllegalStateException().isThrownBy(() -> log.reclaim(log.begin()));
        reader.close();
        reader.close();
        assertThatIllegalStateException().isThrownBy(reader::next);
    }

    @Test
    void statisticsCountAppendsCommitsAndForces() throws IOException {
        try (LogFile log = create()) {
            long first = log.append(new byte[10]);
            long second = log.append(new byte[20]);
            log.makeDurable(second);
            log.makeDurable(first);
            log.makeDurable(); // nothing to do
            assertThat(log.stats()).isEqualTo(new LogStats(2, 30 + 2 * HEADER, 1, 1, 1));
        }
    }

    @Test
    void writesOfARecordThatIsLargerThanABufferAreCounted() throws IOException {
        try (LogFile log = create()) {
            log.append(new byte[10]);
            log.makeDurable();
            long before = log.stats().writes();
            log.append(new byte[5 * BUFFER]);
            log.makeDurable();
            assertThat(log.stats().writes() - before)
                    .as("writes of a record of five buffers and a header")
                    .isEqualTo(6);
        }
    }

    private List<String> segments() throws IOException {
        return new FileSegments(folder, false).list();
    }
}
