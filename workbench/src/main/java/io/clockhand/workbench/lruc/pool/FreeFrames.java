// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.concurrent.locks.Condition;

/** The free list. Thread-safe, with a mutex of its own, under which no other is taken. */
final class FreeFrames {
    static final int NONE = -1;

    private final CountedMutex mutex = new CountedMutex();
    private final Condition added = mutex.newCondition();
    private final int[] frames;
    private int size;

    /** Makes a list of all frames. */
    FreeFrames(int count) {
        frames = new int[count];
        for (int frame = count - 1; frame >= 0; frame--) {
            frames[size++] = frame;
        }
    }

    void add(int frame) {
        mutex.lock();
        try {
            frames[size++] = frame;
            added.signal();
        } finally {
            mutex.unlock();
        }
    }

    /** {@return a frame, or {@link #NONE}} */
    int poll() {
        mutex.lock();
        try {
            return size == 0 ? NONE : frames[--size];
        } finally {
            mutex.unlock();
        }
    }

    /** Waits until there may be one, but no longer than this. */
    void await(long nanos) {
        mutex.lock();
        try {
            if (size == 0) {
                BoundedWaits.get(added::awaitNanos, nanos);
            }
        } finally {
            mutex.unlock();
        }
    }

    int size() {
        mutex.lock();
        try {
            return size;
        } finally {
            mutex.unlock();
        }
    }

    CountedMutex mutex() {
        return mutex;
    }
}
