// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A holder. Its fields are plain: the cache must order them. */
final class Box {
    /** The key that the box carries, 0 if it is clear. */
    int key;

    int value;
    boolean dirty;

    /** {@return what the box carries, in words} */
    String content() {
        if (key == 0) {
            return "cleared";
        }
        return value >= 10 * key ? "ABC".substring(key - 1, key) : "half loaded";
    }

    void clear() {
        key = 0;
        value = 0;
        dirty = false;
    }
}
