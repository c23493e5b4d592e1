// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.BufferLine;
import io.clockhand.internal.frame.FrameMemory;
import java.util.function.Supplier;

/**
 * Buffers, and the line of the threads that wait for one. A buffer that has been waited for goes to the first thread of
 * the line, so a thread that arrives later finds none. The waits end when the pool has failed. Thread-safe.
 */
public final class WaitedBuffers {
    private final PoolOptions options;
    private final FrameMemory memory;
    private final BufferLine line;

    /**
     * Creates the line.
     *
     * @param options bound the waits
     * @param memory has the buffers; others may take one with {@link FrameMemory#poll}, but none may return one to it
     */
    public WaitedBuffers(PoolOptions options, FrameMemory memory) {
        this.options = options;
        this.memory = memory;
        this.line = new BufferLine(memory);
        options.failure().onFailure(line::endWaits);
    }

    /**
     * {@return a buffer, or {@link FrameMemory#NONE} if none is free, or other threads wait for one}
     *
     * @throws OutOfMemoryError if there is no direct memory for the buffer
     */
    public int poll() {
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

    /**
     * {@return a buffer, after a wait if need be}
     *
     * @param what names what the thread waits for
     * @param subject names it in the message of a time-out
     */
    public int take(String what, Supplier<String> subject) {
        int buffer = poll();
        if (buffer != FrameMemory.NONE) {
            return buffer;
        }
        int[] taken = {FrameMemory.NONE};
        BufferLine.Place place = new BufferLine.Place();
        BoundedWait.begin(options, what, () -> null)
                .until(
                        nanos -> {
                            taken[0] = line.await(place, nanos);
                            return taken[0] != BufferLine.NONE;
                        },
                        subject);
        return taken[0];
    }

    /**
     * Returns a buffer. Cannot fail.
     *
     * @param buffer a buffer that the caller has taken, and nobody uses any more
     */
    public void giveBack(int buffer) {
        memory.offer(buffer);
        line.onFree();
    }

    /** Gives the first thread of the line a turn: a buffer may have become free in another way. */
    public void onFree() {
        line.onFree();
    }
}
