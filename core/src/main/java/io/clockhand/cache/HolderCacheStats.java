// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.HitRatioEstimate;
import java.util.List;

/**
 * Statistics of a {@link HolderCache}. Counts cover the time in which {@linkplain HolderCache#collectStats collecting}
 * was on; sizes are current. Made by Clockhand only: later versions may add components.
 *
 * @param hits finds that found their key in the cache, even if it was still being loaded
 * @param misses finds that did not find their key in the cache, whether they loaded it or not
 * @param evictions holders that were evicted for another one
 * @param dirtyVictims victims that stayed because they were dirty, and went to the write-back queue
 * @param framesScanned frames scanned for victims: one for each step of a clock's hand
 * @param foregroundCleans dirty victims that a find wrote back itself
 * @param backgroundCleans dirty victims that {@link HolderCache#cleanQueued} wrote back
 * @param queued dirty victims that wait for {@link HolderCache#cleanQueued} now, and some that need it no more
 * @param capacity the soft maximum of holders
 * @param frames frames that exist now
 * @param resident holders in the cache now
 * @param maxResident the greatest number of holders at any time, or a few more
 * @param pinned holders pinned now
 * @param estimates hit ratios at other sizes and with other policies; empty unless the cache {@linkplain
 *     CacheTuning#advises estimates} them
 */
public record HolderCacheStats(
        long hits,
        long misses,
        long evictions,
        long dirtyVictims,
        long framesScanned,
        long foregroundCleans,
        long backgroundCleans,
        int queued,
        int capacity,
        int frames,
        int resident,
        int maxResident,
        int pinned,
        List<HitRatioEstimate> estimates) {

    /** {@return hits by hits and misses, from 0 to 1; NaN if there were neither} */
    public double hitRatio() {
        return (double) hits / (hits + misses);
    }
}
