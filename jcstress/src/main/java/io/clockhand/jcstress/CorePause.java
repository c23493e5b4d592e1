// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.FlushingThreads;

/** Of the threads of the flusher. */
final class CorePause extends FlusherPause {
    private final FlushingThreads threads = new FlushingThreads(
            new FlushingThreads.Work() {
                @Override
                public boolean isLeft() {
                    return true;
                }

                @Override
                public boolean step() {
                    CorePause.this.step();
                    return true;
                }
            },
            TwoFrames.options());

    @Override
    void work() {
        threads.tryEnter(Thread.currentThread());
        threads.work();
    }

    @Override
    void pause() {
        threads.pause();
    }

    @Override
    void resume() {
        threads.resume();
    }
}
