// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/**
 * Two threads that pin and release a box each, in a cache of two. A release takes the frame from a hint of the
 * thread's stripe, which the other thread may have overwritten.
 */
abstract class HintedRelease {
    private final Boxes boxes;

    HintedRelease(Boxes boxes) {
        this.boxes = boxes;
    }

    final String use(int key) {
        Box box = boxes.find(key);
        try {
            boxes.release(box);
            return "released";
        } catch (IllegalStateException notPinned) {
            return "not pinned";
        }
    }

    final String end() {
        return boxes.integrity();
    }
}
