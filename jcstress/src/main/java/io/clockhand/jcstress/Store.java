// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** The store that boxes are loaded from and written to; it orders reads and writes as a file does. */
final class Store {
    static final int A = 1;
    static final int B = 2;
    /** A key that the store has nothing for. */
    static final int NOWHERE = 3;

    private static final int KEYS = 4;
    private static final int WRITE_SPINS = 50;

    private final AtomicIntegerArray values = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray loads = new AtomicIntegerArray(KEYS);

    Store() {
        values.set(A, 10);
        values.set(B, 20);
    }

    void load(Box box, int key) {
        loads.incrementAndGet(key);
        box.key = key;
        box.value = values.get(key);
    }

    /** Takes some time, as a write to a file does: meanwhile a finder of the page must not load its old value. */
    void write(Box box) {
        for (int i = 0; i < WRITE_SPINS; i++) {
            Thread.onSpinWait();
        }
        values.set(box.key, box.value);
        box.dirty = false;
    }

    int loads(int key) {
        return loads.get(key);
    }
}
