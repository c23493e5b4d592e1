// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The data pages that threads are allocating at the moment: between the choice of a page and the change of its byte the
 * record is appended, which must name a page that no other thread chooses.
 *
 * <p>A page is reserved in the slot of its hash, by CAS from empty; if another page has the slot, the caller chooses
 * another page. The caller reads the byte of its page after it has reserved it, so the page is still free. Only the
 * thread that has reserved it empties the slot, with volatile order, after it has changed the byte: the next thread
 * that reserves the page sees that. Thread-safe.
 */
final class Reservations {
    private static final int SLOT_BITS = 8;
    private static final long EMPTY = 0;

    private final AtomicLongArray slots = new AtomicLongArray(1 << SLOT_BITS);

    boolean tryReserve(long page) {
        return slots.compareAndSet(slot(page), EMPTY, page + 1);
    }

    void release(long page) {
        slots.set(slot(page), EMPTY);
    }

    private static int slot(long page) {
        return (int) ((page * 0x9E37_79B9_7F4A_7C15L) >>> (Long.SIZE - SLOT_BITS));
    }
}
