// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameMemory;
import java.nio.ByteBuffer;

/**
 * Copies of pages that are written together, in the order of their ids. For one thread at a time. Only {@link #bytes}
 * allocates.
 */
final class WriteBatch {
    private final int buffer;
    private final ByteBuffer bytes;
    private final int pageBytes;
    private final int[] frames;
    private final long[] ids;
    private int count;
    private int released;
    private int written;
    private int writes;
    private long lsn;
    private long logNanos;
    /** The frames that were taken out of the write-back queue for this batch. */
    final int[] polled;
    /** The pages that are to be copied. */
    final long[] wanted;
    /** The numbers of the copied pages in their files, for a write of several runs. */
    final long[] numbers;

    WriteBatch(int buffer, ByteBuffer bytes, int pageBytes) {
        int pages = bytes.capacity() / pageBytes;
        this.buffer = buffer;
        this.bytes = bytes;
        this.pageBytes = pageBytes;
        this.frames = new int[pages];
        this.ids = new long[pages];
        this.polled = new int[pages];
        this.wanted = new long[pages];
        this.numbers = new long[pages];
    }

    int buffer() {
        return buffer;
    }

    /** {@return how many pages fit in} */
    int pages() {
        return frames.length;
    }

    void clear() {
        count = 0;
        released = 0;
        written = 0;
        writes = 0;
        lsn = 0;
        logNanos = 0;
    }

    /** {@return the size of the copies} */
    long copiedBytes() {
        return (long) count * pageBytes;
    }

    /** {@return how many copies there are} */
    int count() {
        return count;
    }

    /** Counts a copy that has reached the file. */
    void countWritten() {
        written++;
    }

    /** The pages up to this one are released, or are being released. */
    void releasedUpTo(int end) {
        released = end;
    }

    /** {@return how many pages, from the first, were released} */
    int released() {
        return released;
    }

    /** {@return how many writes have begun, each of a run or of several} */
    int writes() {
        return writes;
    }

    /** Sets how long the log took to be durable. */
    void logWaited(long nanos) {
        logNanos = nanos;
    }

    /** {@return how long the log took to be durable, in nanoseconds} */
    long logNanos() {
        return logNanos;
    }

    /** {@return how many copies have reached the file} */
    int written() {
        return written;
    }

    int frame(int index) {
        return frames[index];
    }

    long id(int index) {
        return ids[index];
    }

    /** {@return the greatest pageLSN of the copies} */
    long lsn() {
        return lsn;
    }

    /** Copies a page, in whose latch the caller has a share. */
    void add(int frame, long id, long pageLsn, FrameMemory memory, int source) {
        memory.copyTo(source, bytes, count * pageBytes);
        frames[count] = frame;
        ids[count] = id;
        lsn = Math.max(lsn, pageLsn);
        count++;
    }

    /** {@return the copies from {@code begin} to {@code end} − 1, which are written now, in one call} */
    ByteBuffer bytes(int begin, int end) {
        writes++;
        return bytes.slice(begin * pageBytes, (end - begin) * pageBytes);
    }
}
