// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.PoolOptions;
import java.time.Duration;
import java.util.Arrays;

/** Pages 0 to n − 1 without content, in a real frame pool; single-threaded. */
final class PooledPages {
    private static final int ABSENT = -1;

    private final int[] frameOf;
    private final int[] pageIn;
    private final StubPool pool;
    private final Coming coming = new Coming();

    PooledPages(ReplacementPolicy policy, int frames, int pages) {
        this(policy, frames, frames, pages);
    }

    PooledPages(ReplacementPolicy policy, int softFrames, int hardFrames, int pages) {
        this.frameOf = new int[pages];
        this.pageIn = new int[hardFrames];
        Arrays.fill(frameOf, ABSENT);
        PoolOptions options = new PoolOptions(
                "",
                softFrames,
                hardFrames,
                true,
                Duration.ofMinutes(2),
                "wait",
                IllegalStateException::new,
                Duration.ofMinutes(2),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
        this.pool = new StubPool(options, policy, new Contents());
    }

    /** {@return whether the page was resident} */
    boolean reference(int page) {
        boolean hit = frameOf[page] != ABSENT;
        unpin(pin(page));
        return hit;
    }

    /** {@return the frame of the page, pinned} */
    int pin(int page) {
        int frame = frameOf[page];
        if (frame == ABSENT) {
            coming.page = page;
            return coming.load(pool, page);
        }
        if (pool.states().tryPin(frame, pool.frames.weightCap()) == FrameStates.NOT_PINNED) {
            throw new IllegalStateException("a mapped frame cannot be pinned");
        }
        pool.frames.recordAccess(frame, null, null, null);
        return frame;
    }

    void unpin(int frame) {
        pool.unpin(frame);
    }

    /** {@return the number of frames that exist now} */
    int frames() {
        return pool.frames.frames();
    }

    /** {@return whether a frame holds a page} */
    boolean isLoaded(int frame) {
        return frameOf[pageIn[frame]] == frame;
    }

    private final class Coming extends StubBinding {
        private int page;

        @Override
        public boolean map(int frame) {
            pageIn[frame] = page;
            frameOf[page] = frame;
            return true;
        }
    }

    private final class Contents extends StubContents {
        @Override
        public void unmap(int frame) {
            frameOf[pageIn[frame]] = ABSENT;
        }
    }
}
