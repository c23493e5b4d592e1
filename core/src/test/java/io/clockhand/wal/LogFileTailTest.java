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

import io.clockhand.io.FileOption;
import io.clockhand.testing.Tier;
import io.clockhand.wal.LogRecords.Entry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a log after a crash: a torn tail is erased, damage is told. Files are changed as crashes and disks do. */
class LogFileTailTest {
    private static final int PAGE = 4096;
    private static final String FIRST = Segment.nameOf(LogFile.FIRST_LSN);

    @TempDir
    Path folder;

    private final List<Entry> all = new ArrayList<>();

    private LogFile open() throws IOException {
        return small(folder).open(HookedSegments.unforced(folder));
    }

    /** Makes a log of one segment with records that were forced together, so that none says that another is durable. */
    private byte[] logOf(int... sizes) throws IOException {
        try (LogFile log = small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder))) {
            for (int size : sizes) {
                all.add(append(log, bytes(size, size + all.size())));
            }
        }
        return Files.readAllBytes(folder.resolve(FIRST));
    }

    /** The place of an LSN in the first segment. */
    private static int offset(long lsn) {
        return (int) (PAGE + lsn - LogFile.FIRST_LSN);
    }

    private static long endOf(Entry entry) {
        return entry.lsn() + HEADER + entry.bytes().size();
    }

    private void put(byte[] file) throws IOException {
        Files.write(folder.resolve(FIRST), file);
    }

    private LogFile openTorn(String what) throws IOException {
        try {
            return open();
        } catch (LogDamagedException e) {
            throw new AssertionError("a torn tail is taken for damage after " + what, e);
        }
    }

    /** Opens the log, and expects the first records only; appends one, and expects both after another opening. */
    private void assertTail(int survivors, String what) throws IOException {
        List<Entry> expected = new ArrayList<>(all.subList(0, survivors));
        try (LogFile log = openTorn(what)) {
            assertThat(LogRecords.read(log)).as("records after %s", what).isEqualTo(expected);
            assertThat(log.end()).as("end after %s", what).isEqualTo(endOf(expected.get(survivors - 1)));
            expected.add(append(log, bytes(3, 99)));
        }
        try (LogFile log = open()) {
            assertThat(LogRecords.read(log))
                    .as("records after %s and another append", what)
                    .isEqualTo(expected);
        }
    }

    @Test
    void logEndsBeforeARecordThatWasCutAtAnyByte() throws IOException {
        byte[] whole = logOf(100, 40, 0, 33);
        int last = all.size() - 1;
        for (int cut = offset(all.get(1).lsn()); cut < offset(endOf(all.get(last))); cut++) {
            put(Arrays.copyOf(whole, cut));
            assertTail(survivors(cut), "a cut at byte " + cut);
        }
    }

    @Test
    void logEndsBeforeARecordWhoseBytesAreGarbageFromAnyByteOn() throws IOException {
        byte[] whole = logOf(100, 40, 0, 33);
        int last = all.size() - 1;
        for (int cut = offset(all.get(1).lsn()); cut < offset(endOf(all.get(last))); cut++) {
            byte[] torn = whole.clone();
            for (int i = cut; i < torn.length; i++) {
                torn[i] ^= (byte) (1 + i % 100);
            }
            put(torn);
            assertTail(survivors(cut), "garbage from byte " + cut + " on");
        }
    }

    /** A sector may be lost though a later one, of the same force, is not. */
    @Test
    void logEndsBeforeARecordThatLostAnyByteThoughLaterOnesSurvived() throws IOException {
        byte[] whole = logOf(100, 40, 0, 33);
        for (int lost = offset(all.get(1).lsn()); lost < offset(endOf(all.get(1))); lost++) {
            byte[] torn = whole.clone();
            torn[lost] ^= 1;
            put(torn);
            assertTail(1, "a change of byte " + lost);
        }
    }

    @Test
    void tornTailsOfSeveralPagesAreErased() throws IOException {
        byte[] whole = logOf(100, 9000, 5000);
        int end = whole.length;
        for (int cut = offset(all.get(1).lsn()); cut < end; cut += Tier.pick(509, 101, 13)) {
            if (cut < offset(endOf(all.get(2)))) {
                put(Arrays.copyOf(whole, cut));
                assertTail(survivors(cut), "a cut at byte " + cut);
            }
        }
    }

    private int survivors(int cut) {
        return (int) all.stream().filter(entry -> offset(endOf(entry)) <= cut).count();
    }

    // --- what was erased does not come back --------------------------------------------------------------------------

    @Test
    void recordsBehindATornOneNeverComeBack() throws IOException {
        byte[] whole = logOf(100, 40, 40, 40);
        whole[offset(all.get(1).lsn()) + HEADER] ^= 1;
        put(whole);
        Entry replacement;
        try (LogFile log = open()) {
            replacement = append(log, bytes(40, 77)); // so the next old record would follow it
        }
        assertThat(endOf(replacement)).isEqualTo(all.get(2).lsn());
        try (LogFile log = open()) {
            assertReads(log, List.of(all.get(0), replacement));
        }
        assertThat(Files.size(folder.resolve(FIRST))).isEqualTo(2 * PAGE);
    }

    @Test
    void pagesBehindATornRecordNeverComeBack() throws IOException {
        int one = PAGE - HEADER;
        byte[] whole = logOf(one, one, one, one);
        whole[offset(all.get(1).lsn()) + HEADER] ^= 1;
        put(whole);
        Entry replacement;
        try (LogFile log = open()) {
            replacement = append(log, bytes(one, 77));
            log.makeDurable();
        }
        try (LogFile log = open()) {
            assertReads(log, List.of(all.get(0), replacement));
        }
    }

    // --- damage ------------------------------------------------------------------------------------------------------

    /** Each record was durable before the next one was appended, and says so. */
    private byte[] logOfDurable(int... sizes) throws IOException {
        try (LogFile log = small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder))) {
            for (int size : sizes) {
                all.add(append(log, bytes(size, size + all.size())));
                log.makeDurable();
            }
        }
        return Files.readAllBytes(folder.resolve(FIRST));
    }

    private void assertDamaged(long lsn, String reason) throws IOException {
        byte[] before = Files.readAllBytes(folder.resolve(FIRST));
        assertThatExceptionOfType(LogDamagedException.class)
                .isThrownBy(this::open)
                .withMessageContaining(FIRST)
                .withMessageContaining("LSN " + lsn)
                .withMessageContaining(reason)
                .satisfies(damage -> assertThat(damage.lsn()).isEqualTo(lsn));
        assertThat(Files.readAllBytes(folder.resolve(FIRST))).isEqualTo(before);
    }

    @Test
    void anyChangedByteOfADurableRecordIsDamage() throws IOException {
        byte[] whole = logOfDurable(100, 40, 20, 0);
        long lsn = all.get(1).lsn();
        for (int changed = offset(lsn); changed < offset(endOf(all.get(1))); changed++) {
            byte[] damaged = whole.clone();
            damaged[changed] ^= 1;
            put(damaged);
            assertDamaged(lsn, "though the log was durable up to");
        }
    }

    @Test
    void pageOfZerosInTheMiddleIsDamage() throws IOException {
        byte[] whole = logOfDurable(PAGE, PAGE, PAGE, PAGE);
        Arrays.fill(whole, 2 * PAGE, 3 * PAGE, (byte) 0);
        put(whole);
        assertDamaged(all.get(0).lsn(), "though the log was durable up to");
    }

    @Test
    void logThatEndsBeforeWhatTheEngineKnowsIsDamaged() throws IOException {
        byte[] whole = logOfDurable(100, 40, 20);
        long known = all.get(2).lsn() + 1;
        small(folder).durableEnd(known).open().close();
        put(Arrays.copyOf(whole, offset(all.get(2).lsn()) + 5));
        assertThatExceptionOfType(LogDamagedException.class)
                .isThrownBy(() -> small(folder).durableEnd(known).open())
                .withMessageContaining("durable up to " + known);
        try (LogFile log = open()) {
            assertReads(log, all.subList(0, 2));
        }
    }

    @Test
    void damageOfAnEarlierSegmentIsToldByTheReader() throws IOException {
        logOfSegments();
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(FIRST).toFile(), "rw")) {
            file.seek(offset(all.get(2).lsn()) + HEADER);
            file.write(0);
        }
        try (LogFile log = open();
                LogReader reader = log.newReader(log.begin())) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThatExceptionOfType(LogDamagedException.class)
                    .isThrownBy(reader::next)
                    .withMessageContaining(FIRST)
                    .withMessageContaining("LSN " + all.get(2).lsn())
                    .withMessageContaining("checksum");
            assertThat(LogRecords.read(log, all.get(3).lsn())).isEqualTo(all.subList(3, all.size()));
        }
    }

    private List<String> logOfSegments() throws IOException {
        try (LogFile log = small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder))) {
            for (int i = 0; i < 40; i++) {
                all.add(append(log, bytes(3000, i)));
            }
        }
        List<String> names =
                new FileSegments(folder, false).list().stream().sorted().toList();
        assertThat(names).hasSizeGreaterThan(3);
        return names;
    }

    @Test
    void missingSegmentInTheMiddleIsDamage() throws IOException {
        List<String> names = logOfSegments();
        Files.delete(folder.resolve(names.get(1)));
        assertThatExceptionOfType(LogDamagedException.class)
                .isThrownBy(this::open)
                .withMessageContaining(names.get(0))
                .withMessageContaining(names.get(2))
                .withMessageContaining("a segment is missing");
    }

    @Test
    void truncatedSegmentInTheMiddleIsDamage() throws IOException {
        List<String> names = logOfSegments();
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve(names.get(1)).toFile(), "rw")) {
            file.setLength(file.length() - PAGE);
        }
        assertThatExceptionOfType(LogDamagedException.class)
                .isThrownBy(this::open)
                .withMessageContaining(names.get(1))
                .withMessageContaining("truncated");
    }

    @Test
    void damagedHeaderOfASegmentIsRefused() throws IOException {
        List<String> names = logOfSegments();
        for (int at : new int[] {0, 8, 12, 16, 24, 32}) {
            for (String name : List.of(names.get(0), names.get(1), names.get(names.size() - 1))) {
                byte[] whole = Files.readAllBytes(folder.resolve(name));
                byte[] damaged = whole.clone();
                damaged[at + 3] ^= 1;
                Files.write(folder.resolve(name), damaged);
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(this::open)
                        .withMessageContaining(name)
                        .withMessageContaining("nothing was changed");
                Files.write(folder.resolve(name), whole);
            }
        }
        try (LogFile log = open()) {
            assertReads(log, all);
        }
    }

    // --- the checksum knows the position -----------------------------------------------------------------------------

    /** As a reused block of the device may show it: an old record of the same length in the place of a new one. */
    @Test
    void recordThatLiesElsewhereIsNone() throws IOException {
        byte[] whole = logOf(40, 40, 40);
        int length = HEADER + 40;
        System.arraycopy(
                whole, offset(all.get(0).lsn()), whole, offset(all.get(2).lsn()), length);
        put(whole);
        assertTail(2, "a copy of the first record in the place of the third");
    }

    @Test
    void recordOfAnotherLogIsNone() throws IOException {
        byte[] whole = logOf(40, 40);
        Path other = folder.resolve("other");
        try (LogFile log = small(other, FileOption.CREATE).open()) {
            log.append(new byte[40]);
            log.append(new byte[40]);
        }
        byte[] others = Files.readAllBytes(other.resolve(FIRST));
        System.arraycopy(
                others, offset(all.get(1).lsn()), whole, offset(all.get(1).lsn()), HEADER + 40);
        put(whole);
        assertTail(1, "a record of another log");
    }

    @Test
    void recordThatContainsARecordIsNotTakenForDamage() throws IOException {
        byte[] inner = logOf(40);
        try (LogFile log = open()) {
            all.add(append(log, inner));
        }
        byte[] whole = Files.readAllBytes(folder.resolve(FIRST));
        whole[offset(all.get(1).lsn()) + HEADER] ^= 1;
        put(whole);
        assertTail(1, "a torn record with the bytes of a log in it");
    }

    // --- torn creations ----------------------------------------------------------------------------------------------

    @Test
    void segmentWhoseCreationACrashHasEndedIsCreatedAgain() throws IOException {
        logOf(40, 40);
        String next = Segment.nameOf(endOf(all.get(1)));
        byte[] header = new byte[PAGE];
        new SegmentHeader(PAGE, 0x1122_3344_5566_7788L, endOf(all.get(1)))
                .page()
                .get(0, header);
        for (int length : new int[] {0, 1, 7, 8, 20, 39, PAGE}) {
            byte[] torn = length == PAGE ? new byte[PAGE] : Arrays.copyOf(header, length);
            Files.write(folder.resolve(next), torn);
            try (LogFile log = open()) {
                assertReads(log, all);
            }
            assertThat(folder.resolve(next)).doesNotExist();
        }
    }

    /** The log may have gone on in the former segment. */
    @Test
    void segmentWhoseCreationHasFailedMayLieAnywhere() throws IOException {
        List<String> names = logOfSegments();
        String torn = Segment.nameOf(all.get(2).lsn());
        Files.write(folder.resolve(torn), new byte[0]);
        try (LogFile log = open()) {
            assertReads(log, all);
        }
        assertThat(new FileSegments(folder, false).list()).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void emptyFileInThePlaceOfASegmentIsDamage() throws IOException {
        List<String> names = logOfSegments();
        Files.write(folder.resolve(names.get(1)), new byte[0]);
        assertThatExceptionOfType(LogDamagedException.class)
                .isThrownBy(this::open)
                .withMessageContaining("a segment is missing");
        assertThat(folder.resolve(names.get(1))).isEmptyFile();
    }

    @Test
    void logWhoseCreationACrashHasEndedIsCreatedAgain() throws IOException {
        byte[] header = logOf();
        for (int length : new int[] {0, 1, 7, 8, 20, 39, PAGE}) {
            byte[] torn = length == PAGE ? new byte[PAGE] : Arrays.copyOf(header, length);
            put(torn);
            try (LogFile log = small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder))) {
                assertThat(log.end()).isEqualTo(LogFile.FIRST_LSN);
            }
        }
    }

    /** Else the log would begin anew, at an LSN that pages are ahead of. */
    @Test
    void changedHeaderOfTheOnlySegmentIsNoTornCreation() throws IOException {
        byte[] header = logOf();
        for (int at : new int[] {0, 11, 15, 20, 31, 35}) {
            byte[] changed = header.clone();
            changed[at] ^= 64;
            put(changed);
            assertThatExceptionOfType(IOException.class)
                    .as("byte %d", at)
                    .isThrownBy(() -> small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder)))
                    .withMessageContaining(FIRST);
            assertThat(folder.resolve(FIRST)).hasBinaryContent(changed);
        }
    }

    @Test
    void logThatIsMadeInPlaceOfATornSegmentUsesNoLesserLsn() throws IOException {
        Files.write(folder.resolve(Segment.nameOf(100_000)), new byte[0]);
        try (LogFile log = small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder))) {
            assertThat(log.begin()).isEqualTo(100_000);
        }
    }

    @Test
    void emptyFolderIsNoLogThatWasDurable() {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(
                        () -> small(folder, FileOption.CREATE).durableEnd(9_000).open())
                .withMessageContaining("durable up to LSN 9000");
        assertThat(folder.resolve(FIRST)).doesNotExist();
    }
}
