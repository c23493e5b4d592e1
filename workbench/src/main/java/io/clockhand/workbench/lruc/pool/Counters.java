// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.concurrent.atomic.LongAdder;

/** The work of a pool since it was made. Thread-safe. */
final class Counters {
    final LongAdder misses = new LongAdder();
    final LongAdder readStalls = new LongAdder();
    final LongAdder framesScanned = new LongAdder();
    final LongAdder pagesWritten = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder batchPages = new LongAdder();

    PoolFigures figures(CountedMutex... mutexes) {
        long waits = 0;
        long nanos = 0;
        for (CountedMutex mutex : mutexes) {
            waits += mutex.waits();
            nanos += mutex.waitNanos();
        }
        return new PoolFigures(
                misses.sum(),
                readStalls.sum(),
                framesScanned.sum(),
                pagesWritten.sum(),
                batches.sum(),
                batchPages.sum(),
                waits,
                nanos);
    }
}
