// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.BufferLine;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;

/**
 * The batches into which pages are copied to be written. There are a few of them: their number bounds the writes that
 * are in progress at a time. A thread that finds none waits in line. Thread-safe.
 */
final class WriteBuffers {
    private static final int MOST_PAGES = 64;
    private static final int MOST_BYTES = 1 << 20;

    private final PoolOptions options;
    private final int pageBytes;
    private final FrameMemory memory;
    private final BufferLine line;
    /** The batch of each buffer, or null before its first use. Each element is used by the owner of its buffer. */
    private final WriteBatch[] batches;

    WriteBuffers(PoolOptions options, int pageBytes, int count) {
        this.options = options;
        this.pageBytes = pageBytes;
        this.memory = new FrameMemory(bytes(pageBytes), count);
        this.line = new BufferLine(memory);
        this.batches = new WriteBatch[count];
    }

    private static int bytes(int pageBytes) {
        return Math.min(MOST_BYTES, MOST_PAGES * pageBytes);
    }

    /** {@return how many pages a batch can hold} */
    static int pages(int pageBytes) {
        return bytes(pageBytes) / pageBytes;
    }

    /** {@return how many bytes of direct memory some batches take} */
    static long directBytes(int pageBytes, int count) {
        return FrameMemory.directBytes(bytes(pageBytes), count);
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
