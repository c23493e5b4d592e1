// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

/**
 * The work of a pool since it was made.
 *
 * @param misses pages that were not in memory
 * @param readStalls misses that waited for a write before their read: of a victim that the thread wrote itself, for a
 *     slot of the temporary write buffer, or for a frame
 * @param framesScanned by misses in search of a victim
 * @param pagesWritten by threads of any kind
 * @param batches of pages that the background threads have begun to write
 * @param batchPages the pages in these batches
 * @param mutexWaits how often a thread found a mutex taken; 0 of a pool without any
 * @param mutexWaitNanos how long these waits were together
 */
public record PoolFigures(
        long misses,
        long readStalls,
        long framesScanned,
        long pagesWritten,
        long batches,
        long batchPages,
        long mutexWaits,
        long mutexWaitNanos) {

    /** {@return what was done between two moments} */
    public PoolFigures since(PoolFigures before) {
        return new PoolFigures(
                misses - before.misses,
                readStalls - before.readStalls,
                framesScanned - before.framesScanned,
                pagesWritten - before.pagesWritten,
                batches - before.batches,
                batchPages - before.batchPages,
                mutexWaits - before.mutexWaits,
                mutexWaitNanos - before.mutexWaitNanos);
    }
}
