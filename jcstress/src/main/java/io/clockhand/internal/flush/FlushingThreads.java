// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.pool.PoolOptions;
import java.util.concurrent.TimeUnit;

/** Makes the threads of the flusher accessible to the stress tests: its class is package-private. */
public final class FlushingThreads {
    /** How long a thread parks without a nudge. */
    public static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final FlusherThreads threads;

    /** The work of the threads. */
    public interface Work {
        boolean isLeft();

        default int wanted() {
            return isLeft() ? 1 : 0;
        }

        boolean step();
    }

    public FlushingThreads(Work work, PoolOptions options) {
        this(work, options, 1);
    }

    public FlushingThreads(Work work, PoolOptions options, int count) {
        FlusherThreads.Work adapted = new FlusherThreads.Work() {
            @Override
            public boolean isLeft() {
                return work.isLeft();
            }

            @Override
            public int wanted() {
                return work.wanted();
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
        this.threads = new FlusherThreads(adapted, options, count, INTERVAL_NANOS);
    }

    public boolean tryEnter(Thread thread) {
        return tryEnter(0, thread);
    }

    public boolean tryEnter(int slot, Thread thread) {
        return threads.tryEnter(slot, thread);
    }

    public boolean tryEnd() {
        return threads.tryEnd(0);
    }

    public boolean work() {
        return work(0);
    }

    public boolean work(int slot) {
        return threads.work(slot);
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
