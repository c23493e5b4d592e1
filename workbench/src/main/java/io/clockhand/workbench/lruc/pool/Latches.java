// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * The right to read or to change the bytes of a frame. A latch is taken only by a thread that has pinned the frame or
 * writes its page. It is held for work in memory, and for the read of the page, for which others wait.
 */
final class Latches {
    private final StampedLock[] latches;

    Latches(int frames) {
        latches = new StampedLock[frames];
        for (int frame = 0; frame < frames; frame++) {
            latches[frame] = new StampedLock();
        }
    }

    /** {@return the exclusive latch of a frame that nobody can use} */
    long ofFree(int frame) {
        long stamp = latches[frame].tryWriteLock();
        if (stamp == 0) {
            throw new IllegalStateException("the free frame " + frame + " is latched");
        }
        return stamp;
    }

    long share(int frame, long page) throws IOException {
        StampedLock latch = latches[frame];
        long stamp = latch.tryReadLock();
        return stamp != 0 ? stamp : checked(BoundedWaits.get(n -> latch.tryReadLock(n, TimeUnit.NANOSECONDS)), page);
    }

    long exclusive(int frame, long page) throws IOException {
        StampedLock latch = latches[frame];
        long stamp = latch.tryWriteLock();
        return stamp != 0 ? stamp : checked(BoundedWaits.get(n -> latch.tryWriteLock(n, TimeUnit.NANOSECONDS)), page);
    }

    private static long checked(long stamp, long page) throws IOException {
        if (stamp == 0) {
            throw new IOException("page " + page + " was latched by another thread for a minute");
        }
        return stamp;
    }

    void release(int frame, long stamp) {
        latches[frame].unlock(stamp);
    }
}
