// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Detects misses of adjacent pages, one after the other: each miss leaves the id that follows the pages it has read,
 * and a miss of that id goes on with the sequence. The third miss is taken for a sequence, whichever threads make them:
 * random misses seldom follow each other twice. A page that was read ahead costs its user nothing.
 *
 * <p>The pages read at once are doubled from miss to miss, so a sequence of a few pages reads a few too many at most.
 *
 * <p>A slot has two longs: an id, and the length that was noted with it. Both are opaque, and a hint: of two
 * sequences in one slot the first is forgotten, and the length of one may be read with the id of the other.
 *
 * <p>Thread-safe. Takes no memory after it was made.
 */
final class SequentialMisses {
    /** The pages that the third miss of a sequence reads. */
    private static final int FIRST_LENGTH = 4;

    private static final int SLOTS = 64;
    private static final int SHIFT = Long.SIZE - 6;
    private static final long NONE = -1;

    private final AtomicLongArray slots = new AtomicLongArray(2 * SLOTS);

    SequentialMisses() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.setPlain(2 * slot, NONE);
        }
    }

    /**
     * {@return how many pages a miss should read at once; 1 if it is the second one of what may be a sequence, 0 if it
     * does not go on with any}
     *
     * @param id the page
     * @param most the greatest number to return, at least 1
     */
    int next(long id, int most) {
        int slot = slot(id);
        if (slots.getOpaque(slot) != id) {
            return 0;
        }
        slots.setOpaque(slot, NONE);
        long before = slots.getOpaque(slot + 1);
        return before == 1 ? 1 : (int) Math.min(most, Math.max(FIRST_LENGTH, 2 * before));
    }

    /**
     * Notes where a sequence may go on.
     *
     * @param id the page behind those that were read
     * @param length how many were read at once; 1 for the first miss of what may be a sequence, 2 for the second
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
