// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.pool.PoolOptions;
import java.time.Duration;

/** Makes the threads of the flusher accessible to the stress tests: its class is package-private. */
public final class FlushingThreads {
    private final FlusherThreads threads;

    /** The work of the threads. */
    public interface Work {
        boolean isLeft();

        boolean step();
    }

    /** One thread, which parks for a while if it is not nudged. */
    public FlushingThreads(Work work, PoolOptions options, Duration pause) {
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
        this.threads = new FlusherThreads(adapted, options, 1, pause.toNanos(), pause.toNanos());
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
}
