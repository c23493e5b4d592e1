// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Detects misses of adjacent pages, one after the other: each miss leaves the id that follows the pages it has read,
 * and a miss of that id goes on with the sequence. So the second miss of a sequence is known, whichever threads make
 * them, and a page that was read ahead costs its user nothing.
 *
 * <p>The pages read at once are doubled from miss to miss, so a sequence of a few pages reads a few too many at most.
 *
 * <p>A slot has two longs: an id, and how many pages the miss before it has read. Both are opaque, and a hint: of two
 * sequences in one slot the first is forgotten, and the length of one may be read with the id of the other.
 *
 * <p>Thread-safe. Takes no memory after it was made.
 */
final class SequentialMisses {
    /** The pages that the second miss of a sequence reads. */
    private static final int FIRST_LENGTH = 4;

    private static final int SLOTS = 256;
    private static final int SHIFT = Long.SIZE - 8;
    private static final long NONE = -1;

    private final AtomicLongArray slots = new AtomicLongArray(2 * SLOTS);

    SequentialMisses() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.setPlain(2 * slot, NONE);
        }
    }

    /**
     * {@return how many pages a miss should read at once: 1 if it does not go on with a sequence}
     *
     * @param id the page
     * @param most the greatest number to return, at least 1
     */
    int next(long id, int most) {
        int slot = slot(id);
        if (slots.getOpaque(slot) != id) {
            return 1;
        }
        slots.setOpaque(slot, NONE);
        return (int) Math.min(most, Math.max(FIRST_LENGTH, 2 * slots.getOpaque(slot + 1)));
    }

    /**
     * Notes where a sequence may go on.
     *
     * @param id the page behind those that were read
     * @param length how many were read at once
     */
    void note(long id, int length) {
        int slot = slot(id);
        slots.setOpaque(slot + 1, length);
        slots.setOpaque(slot, id);
    }

    /** Fibonacci hashing. */
    private static int slot(long id) {
        return 2 * (int) ((id * 0x9E3779B97F4A7C15L) >>> SHIFT);
    }
}
