// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.Policies;
import java.time.Duration;

/** In a pool of core; a dirty check that finds the content clean ends the wait. */
final class CoreCleanNotice implements CleanNotice {
    private static final PoolOptions OPTIONS = new PoolOptions(
            "",
            false,
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

    private static final class Contents implements FrameContents<RuntimeException>, FrameBinding {
        @Override
        public boolean isDirty(int frame) {
            return false;
        }

        @Override
        public void clean(int frame) {}

        @Override
        public void clear(int frame) {}

        @Override
        public void unmap(int frame) {}

        @Override
        public void bind(int frame) {}

        @Override
        public boolean map(int frame) {
            return true;
        }

        @Override
        public void onFrames(int frames) {}

        @Override
        public String describe(int frame) {
            return "frame " + frame;
        }
    }

    private final Contents contents = new Contents();
    private final FramePool<RuntimeException> pool = new FramePool<>(OPTIONS, Policies.create("lru", FRAMES), contents);

    CoreCleanNotice() {
        pool.writeBackQueue().use(() -> {});
        for (int i = 0; i < FRAMES; i++) {
            pool.unpin(search());
        }
        pool.states().tryClaim(0);
        pool.states().revoke(0, true);
    }

    @Override
    public int search() {
        int frame = pool.admit(0, contents, true);
        pool.publish(frame, 0, false);
        return frame;
    }

    @Override
    public void endWrite() {
        pool.pinForDirtyCheck(0);
        pool.endDirtyCheck(0, false);
    }
}
