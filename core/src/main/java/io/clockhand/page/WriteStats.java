// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * The writes of a pool since it was built. Counted always.
 *
 * @param dirtyPages pages that are dirty now
 * @param pagesWritten pages written to their files
 * @param writes writes that have succeeded, each of one page or of some adjacent ones
 * @param failedWrites writes that have failed; their pages stay dirty
 * @param readStalls how often a miss has found no clean frame, and has written pages itself
 * @param checkpoints checkpoints that have succeeded
 */
public record WriteStats(
        int dirtyPages, long pagesWritten, long writes, long failedWrites, long readStalls, long checkpoints) {}
