// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimScan;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.policy.Policies;
import java.time.Duration;

/**
 * A search for a victim meets a dirty frame, which waits to be written at the cold end of a list, while another thread
 * ends that wait: a frame that the search has set aside is the next victim once it is clean. Frames 0 to 2 lie in an
 * LRU list in this order, the coldest first; frame 0 is queued for write-back.
 */
class CleanNotice {
    private static final int FRAMES = 3;
    private static final PoolOptions OPTIONS = new PoolOptions(
            "",
            FRAMES,
            FRAMES,
            false,
            Duration.ofSeconds(1),
            "nothing",
            IllegalStateException::new,
            Duration.ofSeconds(10),
            (what, waited) -> {
                throw new IllegalStateException(what);
            });

    final FramePool pool =
            FramePool.ofObjects(OPTIONS, Policies.create("lru", FRAMES), frames -> {}, frame -> "frame " + frame);
    private final WriteBackQueue queue = new WriteBackQueue(pool);
    private final VictimSearch search = new VictimSearch(pool, queue, OPTIONS, nanos -> {});

    CleanNotice() {
        queue.use(() -> {});
        for (int i = 0; i < FRAMES; i++) {
            load(pool.takeFree());
        }
        pool.states().tryClaim(0);
        pool.states().revoke(0, true);
    }

    private void load(int frame) {
        pool.publishPinned(frame);
        pool.publish(frame, 0, false);
        pool.unpin(frame);
    }

    /** {@return the victim of a miss, which stays claimed} */
    final int search() {
        long thread = Thread.currentThread().getId();
        VictimScan scan = search.begin(thread);
        int frame = search.evict(0, scan);
        search.end(scan, thread);
        return frame;
    }
}
