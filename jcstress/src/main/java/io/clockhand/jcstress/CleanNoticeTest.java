// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimScan;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.policy.Policies;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A search for a victim meets a dirty frame, which waits to be written at the cold end of a list, while another thread
 * ends that wait: a frame that the search has set aside is the next victim once it is clean. Frames 0 to 2 lie in an
 * LRU list in this order, the coldest first; frame 0 is queued for write-back.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The frame was clean when the search met it.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The search passed the frame, which is the next victim.")
@Outcome(expect = FORBIDDEN, desc = "The frame is clean, and remains aside.")
@State
public class CleanNoticeTest {
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

    private final FramePool pool =
            FramePool.ofObjects(OPTIONS, Policies.create("lru", FRAMES), frames -> {}, frame -> "frame " + frame);
    private final WriteBackQueue queue = new WriteBackQueue(pool);
    private final VictimSearch search = new VictimSearch(pool, queue, OPTIONS);

    public CleanNoticeTest() {
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
    private int search() {
        long thread = Thread.currentThread().getId();
        VictimScan scan = search.begin(thread);
        int frame = search.evict(0, scan);
        search.end(scan, thread, frame);
        return frame;
    }

    @Actor
    public void miss(II_Result r) {
        r.r1 = search();
    }

    /** Takes the frame out of the queue, since its page need not be written. */
    @Actor
    public void flusher() {
        pool.clearQueued(0);
    }

    @Arbiter
    public void end(II_Result r) {
        r.r2 = search();
    }
}
