// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.WaitedBuffers;

/**
 * The batches into which pages are copied to be written, all of one size. There are a few of them: their number bounds
 * the writes that are in progress at a time. A thread that finds none waits in line. Thread-safe.
 */
final class WriteBuffers {
    /** For many pages in the order of their ids: most writes are of adjacent ones. */
    static final Size LARGE = new Size(64, 1 << 20);
    /** For a few pages, of which many batches are written at a time. */
    static final Size SMALL = new Size(4, 1 << 16);

    private final int pageBytes;
    private final FrameMemory memory;
    private final WaitedBuffers buffers;
    /** The batch of each buffer, or null before its first use. Each element is used by the owner of its buffer. */
    private final WriteBatch[] batches;

    /**
     * The size of batches; the lesser bound applies.
     *
     * @param mostPages in pages
     * @param mostBytes in bytes, at least the greatest page
     */
    record Size(int mostPages, int mostBytes) {
        private int bytes(int pageBytes) {
            return Math.min(mostBytes, mostPages * pageBytes);
        }

        /** {@return how many pages a batch can hold} */
        int pages(int pageBytes) {
            return bytes(pageBytes) / pageBytes;
        }

        /** {@return how many bytes of direct memory some batches take} */
        long directBytes(int pageBytes, int count) {
            return FrameMemory.directBytes(bytes(pageBytes), count);
        }
    }

    WriteBuffers(PoolOptions options, int pageBytes, Size size, int count) {
        this.pageBytes = pageBytes;
        this.memory = new FrameMemory(size.bytes(pageBytes), count);
        this.buffers = new WaitedBuffers(options, memory);
        this.batches = new WriteBatch[count];
    }

    /** {@return a batch that the caller must give back; null if none is free} */
    WriteBatch tryTake() {
        int buffer = buffers.poll();
        return buffer == FrameMemory.NONE ? null : batch(buffer);
    }

    /** {@return a batch that the caller must give back} */
    WriteBatch take() {
        return batch(
                buffers.take("a batch to write pages", () -> "a batch to write pages, since all are being written"));
    }

    private WriteBatch batch(int buffer) {
        try {
            if (batches[buffer] == null) {
                batches[buffer] = new WriteBatch(buffer, memory.bytes(buffer), pageBytes);
            }
            return batches[buffer];
        } catch (VirtualMachineError failure) {
            buffers.giveBack(buffer);
            throw failure;
        }
    }

    void giveBack(WriteBatch batch) {
        buffers.giveBack(batch.buffer());
    }
}
