// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.FlushingThreads;

/** Of the threads of the flusher. */
final class CoreSurplus extends FlusherSurplus implements FlushingThreads.Work {
    private final FlushingThreads threads = new FlushingThreads(this, TwoFrames.options(), 2);
    private volatile int wanted = 1;

    @Override
    public boolean isLeft() {
        return true;
    }

    @Override
    public int wanted() {
        return wanted;
    }

    @Override
    public boolean step() {
        return true;
    }

    @Override
    void enter(int slot) {
        threads.tryEnter(slot, Thread.currentThread());
    }

    @Override
    void work(int slot) {
        threads.work(slot);
        wanted = 2;
        threads.nudge();
    }

    @Override
    long waitNanos() {
        return FlushingThreads.INTERVAL_NANOS;
    }
}
