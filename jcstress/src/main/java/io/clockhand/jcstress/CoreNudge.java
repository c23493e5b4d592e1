// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.FlushingThreads;

/** A thread of the flusher that is nudged when there is work. */
final class CoreNudge implements Signal, FlushingThreads.Work {
    private final FlushingThreads threads = new FlushingThreads(this, TwoFrames.options());
    private volatile boolean left;

    @Override
    public boolean isLeft() {
        return left;
    }

    @Override
    public boolean step() {
        return left;
    }

    @Override
    public long waitNanos() {
        return FlushingThreads.INTERVAL_NANOS;
    }

    /** Looks for work; parks if there is none, then looks again. */
    @Override
    public boolean await() {
        threads.tryEnter(Thread.currentThread());
        boolean found = false;
        for (int look = 0; look < 2 && !found; look++) {
            found = threads.work();
        }
        return found;
    }

    @Override
    public void change() {
        left = true;
        threads.nudge();
    }
}
