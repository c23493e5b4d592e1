// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/** A holder: the page of a key, which holds one number. */
final class Counter {
    volatile Integer key;
    volatile long value;
    volatile boolean dirty;

    void set(long newValue) {
        value = newValue;
        dirty = true;
    }

    @Override
    public String toString() {
        return "counter " + key + "=" + value + (dirty ? " (dirty)" : "");
    }
}
