// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * Frames whose identity could not be unmapped, since the table failed: without memory, for instance. Such a frame stays
 * as it is, so that it is never free while it is mapped: claimed and cleared; or pinned once by the thread that failed,
 * and empty. Another thread tries again: the next one that needs a frame, waits for one, checks the integrity, or
 * closes the pool.
 *
 * <p>Needs no memory. If there are {@link #MOST} already the next one is lost, and {@code checkIntegrity} names it;
 * each miss tries all of them again, so as many threads would have to fail at a time.
 *
 * <p>Thread-safe. All fields are guarded by the monitor of this object; {@code count} is also read without it, to learn
 * whether there is anything to do.
 */
final class FailedUnmaps {
    static final int NONE = -1;

    private static final int MOST = 1024;

    private final int[] frames = new int[MOST];
    private int first;
    private volatile int count;

    /** Adds a frame, which belongs to the caller. */
    synchronized void add(int frame) {
        if (count < MOST) {
            frames[(first + count) % MOST] = frame;
            count++;
        }
    }

    /** {@return the frame that was added first, which belongs to the caller now; or NONE} */
    synchronized int poll() {
        if (count == 0) {
            return NONE;
        }
        int frame = frames[first];
        first = (first + 1) % MOST;
        count--;
        return frame;
    }

    /** {@return the frame that was added first, or NONE} */
    synchronized int peek() {
        return count == 0 ? NONE : frames[first];
    }

    /** {@return the number of frames} */
    int count() {
        return count;
    }
}
