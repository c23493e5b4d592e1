// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;

/** In a pool of core. */
final class CorePolicySwitch implements PolicySwitch {
    private static final PoolOptions OPTIONS = new PoolOptions(
            "",
            false,
            1,
            1,
            false,
            Duration.ofMillis(1),
            "nothing",
            IllegalStateException::new,
            Duration.ofSeconds(10),
            (what, waited) -> {
                throw new IllegalStateException(what);
            });

    /** Offers the frame while it is listed. */
    private static final class OneFrame implements ReplacementPolicy {
        volatile boolean listed;

        @Override
        public void onLoad(int frame, long identity, int generation) {
            listed = true;
        }

        @Override
        public void onRemove(int frame) {
            listed = false;
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            if (listed && claims.tryClaim(0)) {
                listed = false;
                return 0;
            }
            return NONE;
        }

        @Override
        public void onCapacity(int frames) {}
    }

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
    private final OneFrame next = new OneFrame();
    private final FramePool<RuntimeException> pool = new FramePool<>(OPTIONS, new OneFrame(), contents);

    CorePolicySwitch() {
        replace();
    }

    @Override
    public void replace() {
        int frame = pool.admit(0, contents, false);
        if (frame >= 0) {
            pool.publish(frame, 0, false);
            pool.unpin(frame);
        }
    }

    @Override
    public void remove() {
        if (pool.tryClaimAfterDirtyCheck(0)) {
            pool.remove(0);
        }
    }

    @Override
    public void exchange() {
        pool.switchPolicy(next);
    }

    @Override
    public boolean isListedRight() {
        return next.listed != FrameState.isFree(pool.state(0));
    }
}
