// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** How often, and for how long, the threads of a benchmark stood still. */
final class Pauses {
    private static final int TOGETHER = 64;
    private static final long PAUSE_NANOS = 5_000_000;

    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    private final LongAdder pauses = new LongAdder();
    private volatile boolean warm;

    /** From now on pauses count: those before are the compiler's. */
    void begin() {
        warm = true;
    }

    String report(String name) {
        return String.format(
                "%n%s: %d times did %d operations take more than 5 ms; the longest took %.2f ms",
                name, pauses.sum(), TOGETHER, longest.get() / 1e6);
    }

    /** One thread's look at the clock, now and then: it costs more than an operation. */
    static final class Clock {
        private long count;
        private long begin;

        /** Forgets the time since the last operation. */
        void reset() {
            count = 0;
            begin = System.nanoTime();
        }

        /** Called before each operation. */
        void tick(Pauses all) {
            if (++count % TOGETHER == 0) {
                long now = System.nanoTime();
                long took = now - begin;
                begin = now;
                if (took > PAUSE_NANOS && all.warm) {
                    all.longest.accumulate(took);
                    all.pauses.increment();
                }
            }
        }
    }
}
