// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.util.concurrent.TimeUnit;

/** Computes for a while, without memory. */
public final class CpuLoop {
    private static final int REHEARSALS = 50_000;
    private static final int SHORT = 500;
    private static final int TRIALS = 300;
    private static final int CALLS = 200;

    private CpuLoop() {}

    /** Each step needs the one before; returns what nobody can foresee. */
    static long run(int steps, long seed) {
        long x = seed | 1;
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    /** The steps of a microsecond on this processor, of the fastest of many trials, each of short calls as in a run. */
    public static double stepsPerMicro() {
        long seen = 1;
        for (int i = 0; i < REHEARSALS; i++) {
            seen = run(SHORT, seen);
        }
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < TRIALS; i++) {
            long begin = System.nanoTime();
            for (int call = 0; call < CALLS; call++) {
                seen = run(SHORT, seen);
            }
            fastest = Math.min(fastest, System.nanoTime() - begin);
        }
        if (seen == 0) {
            throw new AssertionError("a number other than 0 never becomes 0");
        }
        return (double) CALLS * SHORT * TimeUnit.MICROSECONDS.toNanos(1) / Math.max(1, fastest);
    }
}
