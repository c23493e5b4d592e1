// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.HitRatioEstimate;
import java.util.List;

/**
 * Figures of a {@link BufferPool}. All but the last six count only while {@linkplain BufferPool#collectStats
 * collecting}, and cost nothing otherwise; the figures of a pool at work are not of one moment. Made by Clockhand only:
 * later versions may add components.
 *
 * @param hits fixes that found their page mapped, even if it was still being read, and optimistic reads, each attempt
 * @param misses fixes that mapped their page, and creations
 * @param prefetches pages that were mapped before they were needed: by a {@linkplain PagedFile#prefetch prefetch}, or
 *     {@linkplain PoolTuning#readAhead ahead} of a sequence
 * @param reads pages whose read was begun, by itself or with others
 * @param wastedReads reads that succeeded, but whose bytes were not used, because another thread read the page first
 * @param failedReads reads that failed: of a page, or of several at once, which are then read one by one
 * @param evictions pages that were evicted for others: by misses, prefetches and scans; not by a shrink of the pool
 * @param searches searches for a victim that scanned at least one frame
 * @param framesScanned frames that the policy scanned for victims
 * @param pinned frames that are pinned now
 * @param free frames that hold nothing now
 * @param frames all frames
 * @param writing what was written
 * @param memory where the pages lie
 * @param estimates hit ratios at other sizes and with other policies; empty unless the pool {@linkplain
 *     PoolTuning#advises estimates} them
 */
public record PoolStats(
        long hits,
        long misses,
        long prefetches,
        long reads,
        long wastedReads,
        long failedReads,
        long evictions,
        long searches,
        long framesScanned,
        int pinned,
        int free,
        int frames,
        WriteStats writing,
        MemoryStats memory,
        List<HitRatioEstimate> estimates) {

    /** {@return hits by hits and misses, from 0 to 1; NaN if there were neither} */
    public double hitRatio() {
        return (double) hits / (hits + misses);
    }

    /** {@return the mean number of frames that a search for a victim scanned; NaN if there was none} */
    public double scanLength() {
        return (double) framesScanned / searches;
    }

    /** {@return wasted reads by reads, from 0 to 1; NaN if there were none} */
    public double wastedReadRatio() {
        return (double) wastedReads / reads;
    }
}
