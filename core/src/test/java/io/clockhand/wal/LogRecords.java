// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.FileOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Records of tests, and how they are read. */
final class LogRecords {
    static final int HEADER = RecordFormat.HEADER_BYTES;

    /** A record that was appended or read. */
    record Entry(long lsn, List<Byte> bytes) {
        Entry(long lsn, byte[] bytes) {
            this(lsn, listOf(bytes));
        }

        private static List<Byte> listOf(byte[] bytes) {
            List<Byte> list = new ArrayList<>(bytes.length);
            for (byte one : bytes) {
                list.add(one);
            }
            return list;
        }

        @Override
        public String toString() {
            return "record of " + bytes.size() + " bytes at " + lsn + " (" + Integer.toHexString(bytes.hashCode())
                    + ")";
        }
    }

    private LogRecords() {}

    /** {@return a builder with the least buffers and segments} */
    static LogFileBuilder small(Path folder, FileOption... options) {
        return LogFile.builder(folder)
                .bufferBytes(1 << 14)
                .segmentBytes(1 << 15)
                .waitTimeout(io.clockhand.testing.Patience.PATIENCE)
                .options(options);
    }

    /** {@return some bytes, none of them zero} */
    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        for (int i = 0; i < length; i++) {
            bytes[i] |= 1;
        }
        return bytes;
    }

    static Entry append(LogFile log, byte[] bytes) throws IOException {
        byte[] copy = Arrays.copyOf(bytes, bytes.length);
        return new Entry(log.append(copy), bytes);
    }

    /** {@return what a reader finds from the beginning on} */
    static List<Entry> read(LogFile log) throws IOException {
        return read(log, log.begin());
    }

    static List<Entry> read(LogFile log, long from) throws IOException {
        List<Entry> found = new ArrayList<>();
        try (LogReader reader = log.newReader(from)) {
            while (reader.next()) {
                found.add(new Entry(reader.lsn(), reader.bytes()));
            }
        }
        return found;
    }

    static void assertReads(LogFile log, List<Entry> expected) throws IOException {
        assertThat(read(log)).as("records of the log").isEqualTo(expected);
    }
}
