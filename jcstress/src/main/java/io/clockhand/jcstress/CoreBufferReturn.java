// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.BufferLine;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.UnusedBytes;
import java.util.concurrent.TimeUnit;

/** A buffer that is returned, and a thread that waits for any buffer. */
final class CoreBufferReturn implements Signal {
    private final FrameMemory memory = UnusedBytes.oneBuffer();
    private final BufferLine line = new BufferLine(memory);
    private final int buffer = memory.poll();

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    /** Takes a buffer that was returned unnoticed when the time is over, so that the wait shows as too long. */
    @Override
    public boolean await() {
        return line.await(new BufferLine.Place(), waitNanos()) != BufferLine.NONE || memory.poll() != FrameMemory.NONE;
    }

    @Override
    public void change() {
        memory.offer(buffer);
        line.onFree();
    }
}
