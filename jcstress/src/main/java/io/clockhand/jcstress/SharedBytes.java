// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.WideLsnField;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * 32 bytes of a page that two threads update under shares in its latch. The accesses are those of the pool, outside
 * the heap.
 */
final class SharedBytes {
    private static final int BYTES = 32;
    /** One buffer for all samples: more of them than jcstress has at a time. */
    private static final int PAGE_BYTES = 1 << 20;

    private static final FrameMemory MEMORY = new FrameMemory(PAGE_BYTES, 1);
    private static final int BUFFER = MEMORY.poll();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final int base = NEXT.getAndAdd(BYTES) & (PAGE_BYTES - 1);

    SharedBytes() {
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            putLong(at, 0);
        }
    }

    // --- rows --------------------------------------------------------------------------------------------------------

    /** Sets a row of one byte. */
    void setByte(int at, int value) {
        MEMORY.releaseByte(BUFFER, base + at, (byte) value);
    }

    /** Sets some bits of the first eight bytes. */
    void setBits(long mask, long bits) {
        MEMORY.setBits(BUFFER, base, mask, bits);
    }

    void setRow(int at, long value) {
        MEMORY.releaseLong(BUFFER, base + at, value);
    }

    long getLong(int at) {
        return MEMORY.getLong(BUFFER, base + at);
    }

    void putLong(int at, long value) {
        MEMORY.putLong(BUFFER, base + at, value);
    }

    // --- LSNs --------------------------------------------------------------------------------------------------------

    /** Raises the LSN of eight bytes that is first. */
    void raise(long lsn) {
        MEMORY.raiseLong(BUFFER, base, lsn);
    }

    /** Raises the LSN of ten bytes that is first. */
    void raiseWide(long position, int slot) {
        WideLsnField.raise(MEMORY, BUFFER, base, position, slot);
    }

    /** {@return the LSN of ten bytes in words} */
    String readWide() {
        long[] lsn = new long[2];
        WideLsnField.read(MEMORY, BUFFER, base, lsn);
        return lsn[0] + ":" + lsn[1];
    }
}
