// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.FrameBinding;
import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.time.Duration;

/** A pool of core with one frame, whose contents are nothing. */
final class OneFrame implements FrameContents<RuntimeException>, FrameBinding {
    static final int FRAME = 0;

    final FramePool<RuntimeException> pool;

    /**
     * Creates the pool; its frame is free.
     *
     * @param exhaustedAfter how long a miss waits for the frame
     */
    OneFrame(Duration exhaustedAfter) {
        PoolOptions options = new PoolOptions(
                "",
                false,
                1,
                1,
                false,
                exhaustedAfter,
                "nothing",
                IllegalStateException::new,
                Duration.ofSeconds(10),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
        pool = new FramePool<>(options, Policies.create(Policies.DEFAULT, ClockHand.ATOMIC, 1), this);
    }

    /** Takes the frame, and evicts what it holds; {@return whether it was to be had} It is pinned then, and empty. */
    boolean tryAdmit(boolean mayWait) {
        return pool.admit(0, this, mayWait) == FRAME;
    }

    void publish() {
        pool.publish(FRAME, 0, false);
    }

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
