// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.clockhand.io.FileOption;
import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log with a record as long as an array can be, of zeros, which takes no memory; and one that is longer. */
class LogFileGreatestRecordTest {
    private static final int PAGE = 4096;
    private static final long IDENTITY = 77;
    private static final int LENGTH = LogFile.GREATEST_RECORD;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

    @TempDir
    private Path folder;

    @Test
    void logWithTheGreatestRecordCanBeOpened() throws IOException {
        try (LogFile log = LogFile.builder(Path.of("segments")).open(new OneSegment())) {
            assertThat(log.end()).isEqualTo(LogFile.FIRST_LSN + RecordFormat.HEADER_BYTES + LENGTH);
        }
    }

    @Test
    void recordThatNoReaderCouldReturnIsRefused() throws IOException {
        Path zeros = folder.resolve("zeros");
        try (RandomAccessFile sparse = new RandomAccessFile(zeros.toFile(), "rw");
                LogFile log = LogRecords.small(folder, FileOption.CREATE).open(HookedSegments.unforced(folder))) {
            sparse.setLength(LENGTH + 1L);
            ByteBuffer record = sparse.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, LENGTH + 1L);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.append(record))
                    .withMessageContaining("must not have more than " + LENGTH);
            assertThat(log.end()).isEqualTo(LogFile.FIRST_LSN);
        }
    }

    private static int crcOfZeros() {
        CRC32C crc = new CRC32C();
        for (int left = LENGTH; left > 0; left -= ZEROS.capacity()) {
            crc.update(ZEROS.duplicate().limit(Math.min(left, ZEROS.capacity())));
        }
        return (int) crc.getValue();
    }

    /** Has the record and nothing else. */
    private static final class OneSegment implements SegmentStores {
        @Override
        public String name() {
            return "segments";
        }

        @Override
        public int pageBytes() {
            return PAGE;
        }

        @Override
        public Closeable own(boolean create) {
            return () -> {};
        }

        @Override
        public List<String> list() {
            return List.of(Segment.nameOf(LogFile.FIRST_LSN));
        }

        @Override
        public PageStore open(String segment, boolean create) {
            return new MostlyZeros();
        }

        @Override
        public void force() {
            // there is no device
        }
    }

    /** Its first two pages have the headers of the segment and of the record; it takes the zeros that it has. */
    private static final class MostlyZeros implements PageStore {
        private final ByteBuffer headers = ByteBuffer.allocate(2 * PAGE);

        MostlyZeros() {
            headers.put(new SegmentHeader(PAGE, IDENTITY, LogFile.FIRST_LSN).page())
                    .clear();
            RecordFormat.put(headers, PAGE, IDENTITY, LogFile.FIRST_LSN, LENGTH, crcOfZeros(), LogFile.FIRST_LSN);
        }

        @Override
        public String name() {
            return "segment";
        }

        @Override
        public int pageBytes() {
            return PAGE;
        }

        @Override
        public long pages() {
            return 1 + ((long) RecordFormat.HEADER_BYTES + LENGTH + PAGE - 1) / PAGE;
        }

        @Override
        public void read(long page, ByteBuffer target) {
            readRun(page, new ByteBuffer[] {target}, 1);
        }

        @Override
        public void readRun(long first, ByteBuffer[] targets, int count) {
            if (first < 0) {
                throw new IllegalArgumentException("there is no page " + first);
            }
            ByteBuffer target = targets[0];
            for (long page = first; page < 2 && target.hasRemaining(); page++) {
                target.put(headers.slice((int) page * PAGE, PAGE));
            }
            target.put(ZEROS.duplicate().limit(target.remaining()));
        }

        @Override
        public void write(long page, ByteBuffer source) {
            source.position(source.limit());
        }

        @Override
        public void truncate(long pages) {
            assertThat(pages).isEqualTo(pages());
        }

        @Override
        public boolean tryOwn() {
            return true;
        }

        @Override
        public void force() {
            // there is no device
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
