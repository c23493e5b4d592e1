// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.nio.ByteBuffer;

/**
 * Bytes of one segment on their way to its file: whole pages, of which the first may have bytes that were written
 * before. Not thread-safe: it belongs to the log's lock, or to the thread that writes it.
 */
final class LogBuffer {
    private final int pageBytes;
    private final ByteBuffer bytes;
    private final ByteBuffer writing;
    private long page;
    private int used;
    /** The bytes at the beginning that another buffer has brought to the file. */
    private int carried;

    /**
     * Allocates a buffer outside the heap.
     *
     * @param capacity its size in bytes, a multiple of that of a page
     * @param pageBytes the size of a page
     */
    LogBuffer(int capacity, int pageBytes) {
        this.pageBytes = pageBytes;
        this.bytes = ByteBuffer.allocateDirect(capacity + pageBytes)
                .alignedSlice(pageBytes)
                .limit(capacity)
                .slice();
        this.writing = bytes.duplicate();
    }

    /** Makes it empty, to begin at a page of the segment. */
    void clear(long first) {
        page = first;
        used = 0;
        carried = 0;
    }

    /** Makes it follow another one: takes the page that the other one has begun. */
    void follow(LogBuffer other) {
        carried = other.used % pageBytes;
        used = carried;
        page = other.page + other.used / pageBytes;
        bytes.put(0, other.bytes, other.used - carried, carried);
    }

    /** Makes it begin with a page of the file, of which the first bytes are records. */
    void begin(long first, int count, ByteBuffer source) {
        page = first;
        used = count;
        carried = count;
        bytes.put(0, source, 0, count);
    }

    /** {@return the space left, in bytes} */
    int remaining() {
        return bytes.capacity() - used;
    }

    /** {@return whether it has bytes that no other buffer has brought to the file} */
    boolean hasNew() {
        return used > carried;
    }

    /** Writes a header behind the last byte, and adds nothing; see {@link RecordFormat#put}. */
    void putHeader(long identity, long lsn, int length, int crc, long durable) {
        RecordFormat.put(bytes, used, identity, lsn, length, crc, durable);
    }

    /** Copies bytes to a distance behind the last byte, and adds nothing; the source stays as it is. */
    void put(ByteBuffer source, int from, int count, int distance) {
        bytes.put(used + distance, source, from, count);
    }

    /** Adds bytes that were put. */
    void add(int count) {
        used += count;
    }

    /** {@return the number of the first page in the segment} */
    long page() {
        return page;
    }

    /** {@return the first page behind it, if it is full} */
    long pageBehind() {
        return page + bytes.capacity() / pageBytes;
    }

    /** {@return the pages to be written, with zeros behind the last record} */
    ByteBuffer pages() {
        int end = (used + pageBytes - 1) / pageBytes * pageBytes;
        for (int i = used; i < end; i++) {
            bytes.put(i, (byte) 0);
        }
        return writing.clear().limit(end);
    }

    /** {@return the number of pages that it can have} */
    int capacityPages() {
        return bytes.capacity() / pageBytes;
    }
}
