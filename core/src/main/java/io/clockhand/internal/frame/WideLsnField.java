// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.concurrent.TimeUnit;

/**
 * The place of an LSN of ten bytes in a page: eight bytes at a multiple of eight, its <i>position</i>, and two more,
 * its <i>slot</i>, whose highest bit is a lock.
 *
 * <p>A thread that raises the LSN sets the lock by CAS on the eight bytes that have the slot (their other bytes are
 * rows, which others may change), stores the position, and stores the slot without the lock, again by CAS. So the
 * position changes in one store, only while the lock is set, and, as an unsigned number, only upwards.
 *
 * <p>A reader stores nothing. It reads position, slot, position, and is done when both positions are the same and the
 * slot is not locked. Since the position never falls, it was the same all the time between; when the slot was read, no
 * raise was in progress, so position and slot were those of one LSN. (The paper reads the slot twice, too: that is
 * necessary where the position could be read in two pieces.)
 *
 * <p>Source: Kodandaramaih, Kodavalla, Venkataramanappa, Concurrent Updates to Pages with Fixed-Size Rows Using
 * Lock-Free Algorithms, PVLDB 13(12), 2020, §3.3, Fig. 5 to 7.
 */
public final class WideLsnField {
    private static final int SLOT_AT = Long.BYTES;
    /** The slot is in the upper two of its eight bytes. */
    private static final int SLOT_SHIFT = Long.SIZE - Short.SIZE;

    private static final long SLOT = 0xFFFFL << SLOT_SHIFT;
    private static final long LOCK = 1L << 63;
    /** Afterwards a thread parks for a moment: the one that has the lock may need the processor to release it. */
    private static final int SPINS = 64;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /**
     * A thread gives up after both: pauses, since a process may be suspended for long while a thread of it has the
     * lock; and time, since a pause lasts for some 70 µs on Linux, elsewhere up to 15 ms.
     */
    private static final int PAUSES = 1_000;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private WideLsnField() {}

    /**
     * Raises the LSN, if it is less. Allocates nothing.
     *
     * @param memory has the page
     * @param buffer the buffer of the page, whose rows the caller may update
     * @param offset where the LSN begins: a multiple of 8, 16 bytes or more before the end of the page
     * @param position its first eight bytes
     * @param slot its last two bytes, 0 to 32,767
     * @throws IllegalStateException if the lock stays set for ten seconds and more: no thread has set it
     */
    public static void raise(FrameMemory memory, int buffer, int offset, long position, int slot) {
        int slotAt = offset + SLOT_AT;
        long began = 0;
        for (int spins = 0; ; spins++) {
            long seen = memory.acquireLong(buffer, slotAt);
            if (Long.compareUnsigned(memory.acquireLong(buffer, offset), position) > 0) {
                return;
            }
            if ((seen & LOCK) == 0 && memory.casLong(buffer, slotAt, seen, seen | LOCK)) {
                int order = Long.compareUnsigned(memory.acquireLong(buffer, offset), position);
                boolean raises = order < 0 || (order == 0 && slot(seen) < slot);
                if (raises) {
                    memory.releaseLong(buffer, offset, position);
                }
                memory.setBits(buffer, slotAt, SLOT, raises ? (long) slot << SLOT_SHIFT : seen & SLOT);
                return;
            }
            began = pause(spins, began, offset);
        }
    }

    /**
     * Reads the LSN.
     *
     * @param memory has the page
     * @param buffer the buffer of the page, which the caller has latched
     * @param offset as for {@link #raise}
     * @param target gets the position at index 0, and the slot at index 1
     * @throws IllegalStateException as {@link #raise}
     */
    public static void read(FrameMemory memory, int buffer, int offset, long[] target) {
        long began = 0;
        for (int spins = 0; ; spins++) {
            long position = memory.acquireLong(buffer, offset);
            long slotWord = memory.acquireLong(buffer, offset + SLOT_AT);
            if ((slotWord & LOCK) == 0 && memory.acquireLong(buffer, offset) == position) {
                target[0] = position;
                target[1] = slot(slotWord);
                return;
            }
            began = pause(spins, began, offset);
        }
    }

    /** {@return when the pauses began} */
    private static long pause(int spins, long before, int offset) {
        if (spins < SPINS) {
            Thread.onSpinWait();
            return 0;
        }
        long now = System.nanoTime();
        long began = spins == SPINS ? now : before;
        if (isOver(spins - SPINS, now - began)) {
            throw new IllegalStateException("the highest bit of the two bytes at offset " + (offset + SLOT_AT)
                    + " stays set, so no LSN of ten bytes lies at offset " + offset);
        }
        Parking.parkUntil(() -> false, now + PAUSE_NANOS);
        return began;
    }

    static boolean isOver(int pauses, long nanos) {
        return pauses > PAUSES && nanos > PATIENCE_NANOS;
    }

    private static int slot(long word) {
        return (int) (word >>> SLOT_SHIFT) & Short.MAX_VALUE;
    }
}
