// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** The list in its smallest form: for two frames. */
class TinyFailedFrames extends FailedFrames {
    private static final int MOST = 2;

    private final int[] frames = new int[MOST];
    private int first;
    private volatile int count;

    @Override
    final synchronized void add(int frame) {
        frames[(first + count) % MOST] = frame;
        count++;
    }

    @Override
    int poll() {
        synchronized (this) {
            return pollUnlocked();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the caller has the lock; that of the twin has not, which is wrong
    final int pollUnlocked() {
        if (count == 0) {
            return NONE;
        }
        int frame = frames[first];
        first = (first + 1) % MOST;
        count--;
        return frame;
    }

    @Override
    final int count() {
        return count;
    }
}
