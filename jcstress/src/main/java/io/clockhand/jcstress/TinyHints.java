// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How a release finds its frame, in its smallest form: a pin word and a box for each of two frames, and one hint that
 * all threads share.
 */
class TinyHints implements Boxes {
    private static final int FRAMES = 2;

    private final AtomicIntegerArray pins = new AtomicIntegerArray(FRAMES);
    private final Box[] boxes = new Box[FRAMES];
    int hint;

    TinyHints() {
        for (int frame = 0; frame < FRAMES; frame++) {
            boxes[frame] = new Box();
            boxes[frame].frame = frame;
        }
    }

    @Override
    public final Box find(int key) {
        int frame = key - 1;
        pins.incrementAndGet(frame);
        hint = frame;
        return boxes[frame];
    }

    @Override
    public final void release(Box box) {
        if (pins.getAndDecrement(frameOf(box)) == 0) {
            throw new IllegalStateException("not pinned");
        }
    }

    /** The hint, if the box is there, else where the box says. */
    @SuppressWarnings("ReferenceEquality") // the very box
    int frameOf(Box box) {
        int hinted = hint;
        return boxes[hinted] == box ? hinted : box.frame;
    }

    @Override
    public final String integrity() {
        return pins.get(0) == 0 && pins.get(1) == 0 ? "intact" : "pins left: " + pins;
    }
}
