// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** Two threads add a frame each, and then take one, if there is any. */
abstract class FailedFrames {
    static final int NONE = -1;

    abstract void add(int frame);

    /** {@return the frame that was added first, or NONE} */
    abstract int poll();

    abstract int count();

    /** {@return the frame that was taken, or NONE} */
    final int addAndTake(int frame) {
        add(frame);
        return count() > 0 ? poll() : NONE;
    }
}
