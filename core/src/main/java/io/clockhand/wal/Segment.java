// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.PageStore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file of the log. The first page is its header; then the records follow without gaps, and zeros up to the end of a
 * page.
 */
final class Segment {
    /** Of the last segment, which has no end yet. */
    static final long OPEN_END = Long.MAX_VALUE;

    private final String name;
    private final long first;
    private final int pageBytes;

    /**
     * The LSN behind its last record. Set to it once, by the thread that begins the next segment, before the log is
     * durable past it; so a reader that loads the durable LSN first, then this, sees it.
     */
    private volatile long end = OPEN_END;

    /** Null unless open. Guarded by the lock of the log's files. */
    PageStore store;

    /** The number of readers in this segment: see {@link LogFile}. */
    final AtomicInteger readers = new AtomicInteger();

    /** Whether the file may have pages behind the last record: of a record that was withdrawn. By the turn. */
    boolean longer;

    Segment(long first, int pageBytes) {
        this.name = nameOf(first);
        this.first = first;
        this.pageBytes = pageBytes;
    }

    static String nameOf(long first) {
        return String.format("%016x.log", first);
    }

    String name() {
        return name;
    }

    /** {@return the LSN of its first record} */
    long first() {
        return first;
    }

    long end() {
        return end;
    }

    void end(long lsn) {
        end = lsn;
    }

    /** {@return where an LSN lies in the file, in bytes} */
    long offsetOf(long lsn) {
        return pageBytes + (lsn - first);
    }

    /** {@return the LSN at a position in the file} */
    long lsnAt(long offset) {
        return first + (offset - pageBytes);
    }

    @Override
    public String toString() {
        return name;
    }
}
