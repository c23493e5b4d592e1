// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.pool.PoolOptions;
import java.util.concurrent.TimeUnit;

/** Makes one thread of the flusher accessible to the stress tests: its class is package-private. */
public final class FlushingThreads {
    /** How long the thread parks without a nudge. */
    public static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final FlusherThreads threads;

    /** The work of the thread. */
    public interface Work {
        boolean isLeft();

        boolean step();
    }

    public FlushingThreads(Work work, PoolOptions options) {
        FlusherThreads.Work adapted = new FlusherThreads.Work() {
            @Override
            public boolean isLeft() {
                return work.isLeft();
            }

            @Override
            public int wanted() {
                return work.isLeft() ? 1 : 0;
            }

            @Override
            public boolean step() {
                return work.step();
            }

            @Override
            public void onFailure() {
                throw new IllegalStateException("no step fails here");
            }
        };
        this.threads = new FlusherThreads(adapted, options, 1, INTERVAL_NANOS);
    }

    public boolean tryEnter(Thread thread) {
        return threads.tryEnter(0, thread);
    }

    public boolean tryEnd() {
        return threads.tryEnd(0);
    }

    public boolean work() {
        return threads.work(0);
    }

    public void nudge() {
        threads.nudge();
    }

    public void pause() {
        threads.pause();
    }

    public void resume() {
        threads.resume();
    }
}
