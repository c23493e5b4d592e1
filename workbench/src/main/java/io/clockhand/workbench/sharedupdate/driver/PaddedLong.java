// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.util.concurrent.atomic.AtomicLongArray;

/** A number that threads change atomically, alone in its lines of the processor's cache. Thread-safe. */
final class PaddedLong {
    private static final int AT = 16;
    private static final int CELLS = 2 * AT + 1;

    private final AtomicLongArray cells = new AtomicLongArray(CELLS);

    PaddedLong(long value) {
        cells.set(AT, value);
    }

    long get() {
        return cells.get(AT);
    }

    long getOpaque() {
        return cells.getOpaque(AT);
    }

    long getAndAdd(long value) {
        return cells.getAndAdd(AT, value);
    }

    boolean compareAndSet(long expected, long value) {
        return cells.compareAndSet(AT, expected, value);
    }

    void setRelease(long value) {
        cells.setRelease(AT, value);
    }
}
