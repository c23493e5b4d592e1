// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Updates of some pages of a file without a pool: each page is read, changed and added to the batch; a full batch is
 * written, sorted by position, neighbours in one call. It keeps no lock, so of two updates of the same page at the same
 * time one is lost. One thread at a time.
 */
final class BareBatch {
    /** As many pages as a pool with pages of this size writes in a batch. */
    static final int PAGES = 64;

    static final int PAGE_BYTES = PageReader.PAGE_BYTES;

    private final ByteBuffer slots = allocate();
    /** The pages of the slots in use, each as {@code page * PAGES + slot}, so that they can be sorted by page. */
    private final long[] order = new long[PAGES];

    private int count;

    /** {@return aligned memory for a batch of pages} */
    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect((PAGES + 1) * PAGE_BYTES - 1).alignedSlice(PAGE_BYTES);
    }

    boolean isFull() {
        return count == PAGES;
    }

    /** Adds 1 to eight bytes of a page; reads it before if {@code channel} is not null. */
    void update(FileChannel channel, long page) throws IOException {
        int begin = count * PAGE_BYTES;
        if (channel != null) {
            slots.limit(begin + PAGE_BYTES).position(begin);
            for (long at = page * PAGE_BYTES - begin; slots.hasRemaining(); ) {
                if (channel.read(slots, at + slots.position()) < 0) {
                    throw new EOFException("page " + page + " is behind the end of the file");
                }
            }
        }
        int offset = begin + PageReader.offset(page);
        slots.clear().putLong(offset, slots.getLong(offset) + 1);
        order[count] = page * PAGES + count;
        count++;
    }

    /**
     * Writes the pages and empties the batch.
     *
     * @param run {@linkplain #allocate memory} of the calling thread, in which neighbours are put together
     * @return the number of pages written; one that was updated twice is one
     */
    int write(FileChannel channel, ByteBuffer run) throws IOException {
        Arrays.sort(order, 0, count);
        int written = 0;
        for (int begin = 0, end; begin < count; begin = end) {
            end = endOfRun(begin);
            written += end - begin == 1 ? writeOne(channel, begin) : writeRun(channel, run, begin, end);
        }
        count = 0;
        return written;
    }

    private long page(int at) {
        return order[at] / PAGES;
    }

    private int endOfRun(int begin) {
        int end = begin + 1;
        while (end < count && page(end) - page(end - 1) <= 1) {
            end++;
        }
        return end;
    }

    private int writeOne(FileChannel channel, int at) throws IOException {
        writeFully(channel, slot(at), page(at));
        return 1;
    }

    private int writeRun(FileChannel channel, ByteBuffer run, int begin, int end) throws IOException {
        long first = page(begin);
        for (int at = begin; at < end; at++) {
            run.put((int) (page(at) - first) * PAGE_BYTES, slots, slotBegin(at), PAGE_BYTES); // of two, the later one
        }
        int pages = (int) (page(end - 1) - first) + 1;
        writeFully(channel, run.slice(0, pages * PAGE_BYTES), first);
        return pages;
    }

    private int slotBegin(int at) {
        return (int) (order[at] % PAGES) * PAGE_BYTES;
    }

    private ByteBuffer slot(int at) {
        return slots.limit(slotBegin(at) + PAGE_BYTES).position(slotBegin(at));
    }

    private void writeFully(FileChannel channel, ByteBuffer bytes, long page) throws IOException {
        long at = page * PAGE_BYTES - bytes.position();
        while (bytes.hasRemaining()) {
            channel.write(bytes, at + bytes.position());
        }
        slots.clear();
    }
}
