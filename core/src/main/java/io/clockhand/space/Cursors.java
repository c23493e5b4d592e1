// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Where searches go on, for each of several stripes of threads, so that threads search at several places of a map. A
 * thread's id chooses its stripe. Opaque accesses, since the positions are hints. Thread-safe.
 */
final class Cursors {
    private static final int STRIPE_BITS = 4;
    private static final int STRIPES = 1 << STRIPE_BITS;
    /** Longs from one stripe to the next: two cache lines. */
    private static final int STRIDE = 16;

    private final AtomicLongArray pages = new AtomicLongArray(STRIPES * STRIDE);

    /** Spreads the stripes over a number of data pages. */
    Cursors(long count) {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            for (int kind = 0; kind < ScanHints.KINDS; kind++) {
                pages.setOpaque(stripe * STRIDE + kind, count / STRIPES * stripe);
            }
        }
    }

    /** {@return the data page at which the calling thread's stripe begins a search of a kind} */
    long get(int kind) {
        return pages.getOpaque(index(kind));
    }

    void set(int kind, long page) {
        pages.setOpaque(index(kind), page);
    }

    private static int index(int kind) {
        long hash = Thread.currentThread().getId() * 0x9E37_79B9_7F4A_7C15L;
        return (int) (hash >>> (Long.SIZE - STRIPE_BITS)) * STRIDE + kind;
    }
}
