// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads the records of a {@link LogFile} in their order, up to the last durable one. Reclaiming spares the segment in
 * which a reader is, and those behind it. Not thread-safe.
 */
public final class LogReader implements Closeable {
    private final LogFile log;
    private final SegmentInput input;
    /** Where the next record begins. */
    private long next;

    private long lsn;
    private byte[] bytes;
    /** Null before the first record. */
    private Segment segment;

    private boolean closed;

    LogReader(LogFile log, long from, SegmentInput input) {
        this.log = log;
        this.next = from;
        this.input = input;
    }

    /**
     * Reads the next record.
     *
     * @return false if there is none that is durable; there may be one later
     * @throws LogDamagedException if the record cannot be read though it was durable, or none begins at the LSN from
     *     which this reads
     * @throws IOException if a read failed
     * @throws io.clockhand.WaitTimeoutException if another thread created or deleted a segment for too long
     * @throws IllegalArgumentException if the record was reclaimed
     * @throws IllegalStateException if this reader or the log is closed
     */
    public boolean next() throws IOException {
        if (closed) {
            throw new IllegalStateException("the reader is closed");
        }
        log.checkOpen();
        long durable = log.durableEnd(); // before the end of the segment: see Segment.end
        if (next >= durable) {
            return false;
        }
        try {
            read(durable);
        } catch (IOException e) {
            log.checkOpen(); // a close beside this has closed the file
            throw e;
        }
        return true;
    }

    private void read(long durable) throws IOException {
        if (segment == null || next >= segment.end()) {
            turnToSegment();
        }
        long limit = segment.offsetOf(Math.min(durable, segment.end()));
        String reason = input.readHeader(next, limit);
        byte[] record = reason == null ? input.readRecord(next, limit) : null;
        if (record == null) {
            throw new LogDamagedException(
                    log.nameOf(segment), next, reason == null ? "the checksum of the record is wrong" : reason);
        }
        lsn = next;
        bytes = record;
        next = lsn + RecordFormat.HEADER_BYTES + record.length;
    }

    private void turnToSegment() throws IOException {
        Segment entered = log.enter(next);
        Segment former = segment;
        segment = entered;
        input.turnTo(entered);
        if (former != null) {
            log.leave(former);
        }
    }

    /** {@return the LSN of the record that was read last} */
    public long lsn() {
        checkRead();
        return lsn;
    }

    /** {@return the bytes of the record that was read last, in an array of its own} */
    public byte[] bytes() {
        checkRead();
        return bytes;
    }

    private void checkRead() {
        if (bytes == null) {
            throw new IllegalStateException("no record was read yet");
        }
    }

    /** Ends the reading. A second call does nothing. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            if (segment != null) {
                log.leave(segment);
            }
        }
    }
}
