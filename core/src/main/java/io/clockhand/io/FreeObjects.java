// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Objects to be used again, at most a fixed number of them: any more are left to the garbage collector.
 *
 * <p>Each slot is empty or has an object; a thread takes and puts by one compare-and-set. It begins at a slot that its
 * own id chooses, so that threads seldom meet. Thread-safe, and nobody waits.
 */
final class FreeObjects<T> {
    /** The number of threads that find an object again at the same time. */
    private static final int SLOTS = 32;
    /** Spreads adjacent numbers: 2^32 divided by the golden ratio. */
    private static final int SPREAD = 0x9E3779B9;

    private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(SLOTS);

    private final AtomicReferenceArray<T> slots = new AtomicReferenceArray<>(SLOTS);

    /** {@return an object that nobody uses, or null if there is none} */
    T poll() {
        int first = firstSlot();
        for (int i = 0; i < SLOTS; i++) {
            int slot = (first + i) % SLOTS;
            T free = slots.get(slot);
            if (free != null && slots.compareAndSet(slot, free, null)) {
                return free;
            }
        }
        return null;
    }

    /** Gives an object back. */
    void offer(T object) {
        int first = firstSlot();
        for (int i = 0; i < SLOTS; i++) {
            int slot = (first + i) % SLOTS;
            if (slots.get(slot) == null && slots.compareAndSet(slot, null, object)) {
                return;
            }
        }
    }

    private static int firstSlot() {
        return ((int) Thread.currentThread().getId() * SPREAD) >>> SHIFT;
    }
}
