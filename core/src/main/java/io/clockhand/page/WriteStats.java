// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * The writes of a pool since it was built. Counted always. Made by Clockhand only: later versions may add components.
 *
 * @param dirtyPages pages that are dirty now
 * @param pagesWritten pages written to their files
 * @param writes writes that have succeeded, each of one page, of adjacent ones, or of the pages of a batch whose store
 *     {@linkplain io.clockhand.io.PageStore#writesBatches takes them together}
 * @param batches batches of which at least one page was written; the log is made durable once for each
 * @param failedWrites writes that have failed; their pages stay dirty, but those of a batch that was written together
 *     are written run by run at once
 * @param readStalls how often a miss found no frame at once, and has waited for one or written pages itself
 * @param readStallNanos how long these misses waited together, their own writes included, in nanoseconds
 * @param pacedChanges how often a thread had to write pages before it could change one, since most frames were dirty
 * @param logWaits how often the log was asked to be durable before a batch was written; 0 without a log
 * @param logWaitNanos the time of these waits together, in nanoseconds
 * @param checkpoints checkpoints that have succeeded
 * @param lastCheckpointNanos how long the last of them took, in nanoseconds; 0 before the first
 * @param lastCheckpointDistance the log between its redo position and the end of the log then, in units of the log;
 *     about what redo would have to read
 */
public record WriteStats(
        int dirtyPages,
        long pagesWritten,
        long writes,
        long batches,
        long failedWrites,
        long readStalls,
        long readStallNanos,
        long pacedChanges,
        long logWaits,
        long logWaitNanos,
        long checkpoints,
        long lastCheckpointNanos,
        long lastCheckpointDistance) {

    /** {@return the mean number of pages of a batch; NaN if there was none} */
    public double pagesPerBatch() {
        return batches == 0 ? Double.NaN : (double) pagesWritten / batches;
    }
}
