// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads records of one segment through a window of some pages.
 *
 * <p>The window shows nothing behind the limit of the read that has filled it: the last page may get more records
 * meanwhile. Not thread-safe.
 */
final class SegmentInput {
    private static final int WINDOW_PAGES = 16;

    private final int pageBytes;
    private final long identity;
    private final ByteBuffer window;
    private final ByteBuffer[] target;
    private final ByteBuffer header = ByteBuffer.allocate(RecordFormat.HEADER_BYTES);

    private Segment segment;
    private PageStore store;
    /** The bytes of the file in the window, and the first behind them. */
    private long from;

    private long to;

    SegmentInput(int pageBytes, long identity) {
        this.pageBytes = pageBytes;
        this.identity = identity;
        this.window = ByteBuffer.allocateDirect((WINDOW_PAGES + 1) * pageBytes)
                .alignedSlice(pageBytes)
                .limit(WINDOW_PAGES * pageBytes);
        this.target = new ByteBuffer[] {window};
    }

    /** Turns to a segment, whose store is open. */
    void turnTo(Segment next) {
        segment = next;
        store = next.store;
        from = 0;
        to = 0;
    }

    /**
     * Reads a header, which {@link #length} and {@link #durable} describe then.
     *
     * @param lsn where it begins
     * @param limit bytes from this position in the file on are not read
     * @return null, or why there is none, as the end of a sentence
     */
    String readHeader(long lsn, long limit) throws IOException {
        long offset = segment.offsetOf(lsn);
        if (!read(offset, limit, header.clear())) {
            return "the file ends before the header of a record";
        }
        long most = limit - offset - RecordFormat.HEADER_BYTES;
        return RecordFormat.isHeader(header, 0, identity, lsn, most)
                ? null
                : "there is no valid header of a record that ends before the file does";
    }

    /** {@return the length of the record whose header was read, in bytes} */
    int length() {
        return RecordFormat.length(header, 0);
    }

    /** {@return an LSN up to which the log was durable when the record whose header was read was appended} */
    long durable(long lsn) {
        return RecordFormat.durable(header, 0, lsn);
    }

    /** {@return whether the bytes of the record whose header was read have the right checksum} */
    boolean isIntact(long lsn, long limit) throws IOException {
        CRC32C crc = new CRC32C();
        long offset = segment.offsetOf(lsn) + RecordFormat.HEADER_BYTES;
        for (long end = offset + length(); offset < end; ) {
            if (!fill(offset, limit)) {
                return false;
            }
            int at = (int) (offset - from);
            int count = (int) Math.min(end - offset, to - offset);
            crc.update(window.duplicate().position(at).limit(at + count));
            offset += count;
        }
        return (int) crc.getValue() == RecordFormat.crc(header, 0);
    }

    /**
     * Reads the bytes of the record whose header was read.
     *
     * @return them, or null if their checksum is wrong, or the file ends before
     */
    byte[] readRecord(long lsn, long limit) throws IOException {
        byte[] record = new byte[length()];
        ByteBuffer bytes = ByteBuffer.wrap(record);
        if (!read(segment.offsetOf(lsn) + RecordFormat.HEADER_BYTES, limit, bytes)) {
            return null;
        }
        return RecordFormat.crc(bytes.flip()) == RecordFormat.crc(header, 0) ? record : null;
    }

    private boolean read(long offset, long limit, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (!fill(offset, limit)) {
                return false;
            }
            int count = (int) Math.min(bytes.remaining(), to - offset);
            bytes.put(bytes.position(), window, (int) (offset - from), count);
            bytes.position(bytes.position() + count);
            offset += count;
        }
        return true;
    }

    /** Brings a byte of the file into the window; {@return whether there is one} */
    private boolean fill(long offset, long limit) throws IOException {
        if (offset >= from && offset < to) {
            return true;
        }
        if (offset >= limit) {
            return false;
        }
        long page = offset / pageBytes;
        long pages = Math.min((limit + pageBytes - 1) / pageBytes - page, WINDOW_PAGES);
        from = 0;
        to = 0; // in case the read fails
        store.readRun(page, prepared((int) pages), 1);
        from = page * pageBytes;
        to = Math.min(limit, from + pages * pageBytes);
        return true;
    }

    private ByteBuffer[] prepared(int pages) {
        window.clear().limit(pages * pageBytes);
        return target;
    }
}
