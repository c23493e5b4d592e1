// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.FlushingThreads;

/** Of the threads of the flusher. */
final class CoreFlusherEnd implements FlusherEnd, FlushingThreads.Work {
    private static final Thread FIRST = new Thread();
    private static final Thread SECOND = new Thread();

    private final FlushingThreads threads = new FlushingThreads(this, TwoFrames.options());
    private volatile boolean left;

    CoreFlusherEnd() {
        threads.tryEnter(FIRST);
    }

    @Override
    public boolean isLeft() {
        return left;
    }

    @Override
    public boolean step() {
        return false;
    }

    @Override
    public boolean tryEnd() {
        return threads.tryEnd();
    }

    @Override
    public boolean addWork() {
        left = true;
        return threads.tryEnter(SECOND);
    }
}
