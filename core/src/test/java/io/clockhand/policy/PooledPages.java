// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import java.time.Duration;
import java.util.Arrays;

/** Pages 0 to n − 1 without content, in a real frame pool; single-threaded. */
final class PooledPages {
    private static final int ABSENT = -1;

    private final int[] frameOf;
    private final int[] pageIn;
    private final FramePool<RuntimeException> pool;
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
                false,
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
        this.pool = new FramePool<>(options, policy, new Contents());
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
            int loaded = pool.admit(page, coming, true);
            pool.publish(loaded, page, false);
            return loaded;
        }
        if (pool.states().tryPin(frame, pool.weightCap()) == FrameStates.NOT_PINNED) {
            throw new IllegalStateException("a mapped frame cannot be pinned");
        }
        pool.recordAccess(frame, null);
        return frame;
    }

    void unpin(int frame) {
        pool.unpin(frame);
    }

    /** {@return the number of frames that exist now} */
    int frames() {
        return pool.frames();
    }

    /** {@return whether a frame holds a page} */
    boolean isLoaded(int frame) {
        return frameOf[pageIn[frame]] == frame;
    }

    private final class Coming implements FrameBinding {
        private int page;

        @Override
        public void bind(int frame) {
            pageIn[frame] = page;
        }

        @Override
        public boolean map(int frame) {
            frameOf[page] = frame;
            return true;
        }

        @Override
        public void unmap(int frame) {
            frameOf[page] = ABSENT;
        }
    }

    private final class Contents implements FrameContents<RuntimeException> {
        @Override
        public boolean isDirty(int frame) {
            return false;
        }

        @Override
        public void clean(int frame) {}

        @Override
        public void clear(int frame) {}

        @Override
        public void unmap(int frame) {
            frameOf[pageIn[frame]] = ABSENT;
        }

        @Override
        public void onFrames(int frames) {}

        @Override
        public String describe(int frame) {
            return "page " + pageIn[frame];
        }
    }
}
