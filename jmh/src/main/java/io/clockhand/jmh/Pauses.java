// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The number and the length of the pauses of a benchmark's threads. */
final class Pauses {
    private static final int TOGETHER = 64;
    private static final long PAUSE_NANOS = 5_000_000;

    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    private final LongAdder pauses = new LongAdder();
    private volatile boolean warm;

    /** Counts pauses from now on: earlier ones are due to compilation. */
    void begin() {
        warm = true;
    }

    String report(String name) {
        return String.format(
                "%n%s: %d times, %d operations took more than 5 ms; the longest took %.2f ms",
                name, pauses.sum(), TOGETHER, longest.get() / 1e6);
    }

    /** Measures one thread; it reads the time once in 64 operations, because that costs more than an operation. */
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
