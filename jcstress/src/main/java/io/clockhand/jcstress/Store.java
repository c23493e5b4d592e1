// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What boxes are loaded from and written to: a file, as far as order is concerned. */
final class Store {
    static final int A = 1;
    static final int B = 2;
    /** A key that the store has nothing for. */
    static final int NOWHERE = 3;

    private static final int KEYS = 4;

    private final AtomicIntegerArray values = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray loads = new AtomicIntegerArray(KEYS);

    private final AtomicInteger writes = new AtomicInteger();

    Store() {
        values.set(A, 10);
        values.set(B, 20);
    }

    void load(Box box, int key) {
        loads.incrementAndGet(key);
        box.key = key;
        box.value = values.get(key);
    }

    void write(Box box) {
        writes.incrementAndGet();
        values.set(box.key, box.value);
        box.dirty = false;
    }

    int writes() {
        return writes.get();
    }

    int loads(int key) {
        return loads.get(key);
    }
}
