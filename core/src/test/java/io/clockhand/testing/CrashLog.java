// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import io.clockhand.testkit.SimulatedFile;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The log of an engine whose disk crashes: records of two numbers, with checksums. An LSN is the place of a record. */
public final class CrashLog implements WriteAheadLog {
    /** The size of a record, in bytes, and the LSN of the first. */
    public static final int RECORD = 32;

    private final SimulatedFile file;
    private final List<ByteBuffer> pending = new ArrayList<>();
    private long end = RECORD; // an LSN is the place of a record, and not 0
    private long written = RECORD;
    private long durable = RECORD;

    CrashLog(SimulatedFile file) {
        this.file = file;
    }

    /**
     * Appends a record of two numbers.
     *
     * @param key the one
     * @param value the other
     * @return its LSN
     */
    public synchronized long append(long key, long value) {
        long lsn = end;
        ByteBuffer record = ByteBuffer.allocate(RECORD);
        record.putLong(lsn).putLong(key).putLong(value);
        record.putLong(checksum(record)).flip();
        pending.add(record);
        end += RECORD;
        return lsn;
    }

    static long checksum(ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(record.duplicate().position(0).limit(RECORD - Long.BYTES));
        return crc.getValue() + 1;
    }

    @Override
    public synchronized long end() {
        return end;
    }

    @Override
    public synchronized void makeDurable(long lsn) throws IOException {
        if (lsn < durable) {
            return;
        }
        for (ByteBuffer record : pending) {
            for (long at = written; record.hasRemaining(); ) {
                at += file.write(at, record);
            }
            written += RECORD;
        }
        pending.clear();
        file.force();
        durable = written;
    }

    /**
     * Reads the records that have survived, and truncates the file behind them.
     *
     * @return LSN, key and value of each
     * @throws IOException if the disk has crashed
     */
    public synchronized List<long[]> recover() throws IOException {
        List<long[]> records = new ArrayList<>();
        ByteBuffer record = ByteBuffer.allocate(RECORD);
        while (read(end, record) && record.getLong(0) == end && checksum(record) == record.getLong(24)) {
            records.add(new long[] {end, record.getLong(8), record.getLong(16)});
            end += RECORD;
        }
        written = end;
        durable = end;
        file.truncate(Math.min(file.size(), end));
        file.force();
        return records;
    }

    private boolean read(long at, ByteBuffer record) throws IOException {
        record.clear();
        for (int got; record.hasRemaining(); at += got) {
            got = file.read(at, record);
            if (got <= 0) {
                return false;
            }
        }
        return true;
    }
}
