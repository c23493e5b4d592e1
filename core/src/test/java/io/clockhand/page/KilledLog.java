// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The log of {@link KilledEngine}. Records stay in a buffer of the process until they must be durable, so the end of
 * the process loses them. An LSN is the place of a record in the file.
 */
final class KilledLog implements WriteAheadLog, Closeable {
    private static final int RECORD = 40;
    private static final int CHECKED = 24;
    private static final int BUFFER = RECORD * 1_000;

    /** A record: the row has its LSN as value. */
    record Entry(long lsn, long page, int row) {}

    private final FileChannel file;
    /** Whether the pool is not obeyed. */
    private final boolean unruly;

    private final Object writing = new Object();
    /** Records that are not written; guarded by this. */
    private ByteBuffer pending = ByteBuffer.allocate(BUFFER);

    private volatile long end = RECORD; // an LSN is not 0
    private volatile long durable = RECORD;

    KilledLog(Path path, boolean unruly) throws IOException {
        this.file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        this.unruly = unruly;
    }

    synchronized long append(long page, int row) {
        if (pending.remaining() < RECORD) {
            pending = ByteBuffer.allocate(2 * pending.capacity()).put(pending.flip());
        }
        long lsn = end;
        int at = pending.position();
        pending.putLong(lsn)
                .putLong(page)
                .putLong(row)
                .putLong(checksum(pending, at))
                .position(at + RECORD);
        end = lsn + RECORD;
        return lsn;
    }

    private static long checksum(ByteBuffer bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(at + CHECKED).position(at));
        return crc.getValue() + 1;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public void makeDurable(long lsn) throws IOException {
        if (!unruly) {
            commit(lsn);
        }
    }

    /** Writes and forces all records, if the one with this LSN is not durable. */
    void commit(long lsn) throws IOException {
        if (lsn < durable) {
            return;
        }
        synchronized (writing) {
            if (lsn < durable) {
                return;
            }
            ByteBuffer records;
            long to;
            synchronized (this) {
                records = pending.flip();
                pending = ByteBuffer.allocate(BUFFER);
                to = end;
            }
            for (long at = to - records.remaining(); records.hasRemaining(); ) {
                at += file.write(records, at);
            }
            file.force(false);
            durable = to;
        }
    }

    /** Reads the records that have survived, and truncates the file behind them. */
    List<Entry> recover() throws IOException {
        List<Entry> entries = new ArrayList<>();
        ByteBuffer all = ByteBuffer.allocate((int) file.size());
        while (all.hasRemaining() && file.read(all, all.position()) > 0) {
            // the rest
        }
        int at = RECORD;
        while (at + RECORD <= all.position() && isRecord(all, at)) {
            entries.add(new Entry(at, all.getLong(at + 8), (int) all.getLong(at + 16)));
            at += RECORD;
        }
        file.truncate(at);
        file.force(true);
        end = at;
        durable = at;
        return entries;
    }

    private static boolean isRecord(ByteBuffer bytes, int at) {
        return bytes.getLong(at) == at && bytes.getLong(at + CHECKED) == checksum(bytes, at);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
