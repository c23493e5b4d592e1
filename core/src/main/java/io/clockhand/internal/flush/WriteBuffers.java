// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.BufferLine;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;

/**
 * The batches into which pages are copied to be written, all of one size. There are a few of them: their number bounds
 * the writes that are in progress at a time. A thread that finds none waits in line. Thread-safe.
 */
final class WriteBuffers {
    /** For many pages in the order of their ids: most writes are of adjacent ones. */
    static final Size LARGE = new Size(64, 1 << 20);
    /** For a few pages, of which many batches are written at a time. */
    static final Size SMALL = new Size(4, 1 << 16);

    private final PoolOptions options;
    private final int pageBytes;
    private final FrameMemory memory;
    private final BufferLine line;
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
        this.options = options;
        this.pageBytes = pageBytes;
        this.memory = new FrameMemory(size.bytes(pageBytes), count);
        this.line = new BufferLine(memory);
        options.failure().onFailure(line::endWaits);
        this.batches = new WriteBatch[count];
    }

    /** {@return a batch that the caller must give back; null if none is free} */
    WriteBatch tryTake() {
        int buffer = poll();
        return buffer == FrameMemory.NONE ? null : batch(buffer);
    }

    /** {@return a batch that the caller must give back} */
    WriteBatch take() {
        int buffer = poll();
        if (buffer == FrameMemory.NONE) {
            int[] taken = {FrameMemory.NONE};
            BufferLine.Place place = new BufferLine.Place();
            BoundedWait.begin(options, "a batch to write pages", () -> null)
                    .until(
                            nanos -> {
                                taken[0] = line.await(place, nanos);
                                return taken[0] != BufferLine.NONE;
                            },
                            () -> "a batch to write pages, since all are being written");
            buffer = taken[0];
        }
        return batch(buffer);
    }

    private int poll() {
        if (line.isWanted()) {
            return FrameMemory.NONE;
        }
        try {
            return memory.poll();
        } catch (Throwable failure) {
            line.onFree(); // the buffer is free again, and another thread may have found none meanwhile
            throw failure;
        }
    }

    private WriteBatch batch(int buffer) {
        try {
            if (batches[buffer] == null) {
                batches[buffer] = new WriteBatch(buffer, memory.bytes(buffer), pageBytes);
            }
            return batches[buffer];
        } catch (Throwable failure) {
            giveBack(buffer);
            throw failure;
        }
    }

    void giveBack(WriteBatch batch) {
        giveBack(batch.buffer());
    }

    private void giveBack(int buffer) {
        memory.offer(buffer);
        line.onFree();
    }
}
