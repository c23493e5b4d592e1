// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.nio.ByteBuffer;

/** Buffers on the heap, for stress tests that take and return many of them and store nothing there. */
public final class UnusedBytes {
    private static final int PAGE_BYTES = 512;

    private UnusedBytes() {}

    /** {@return memory with one buffer, which is free} */
    public static FrameMemory oneBuffer() {
        return new FrameMemory(PAGE_BYTES, 1, ByteBuffer::allocate);
    }
}
