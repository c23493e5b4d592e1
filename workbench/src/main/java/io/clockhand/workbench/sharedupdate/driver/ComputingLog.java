// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

/** Computes after a record has its LSN, in many threads at the same time. */
final class ComputingLog extends Log {
    private final int steps;

    /** Written so seldom that it costs nothing, and so that the computation is no dead code. */
    private volatile long unlikely;

    ComputingLog(int steps) {
        this.steps = steps;
    }

    @Override
    long append(int offset, long value) {
        long lsn = reserve();
        long computed = CpuLoop.run(steps, lsn ^ value);
        if (computed == 0) {
            unlikely = computed;
        }
        return lsn;
    }

    /** A number that was computed, if it was unlikely. */
    long unlikely() {
        return unlikely;
    }
}
