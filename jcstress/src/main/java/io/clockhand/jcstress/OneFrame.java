// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.time.Duration;

/** The frames of a cache that has only one, and no objects. */
final class OneFrame {
    static final int FRAME = 0;

    /** The frame is free at first. */
    final FramePool pool = FramePool.ofObjects(
            options(), Policies.create(Policies.DEFAULT, ClockHand.ATOMIC, 1), frames -> {}, frame -> "frame " + frame);

    private static PoolOptions options() {
        return new PoolOptions(
                "",
                1,
                1,
                false,
                Duration.ofSeconds(10),
                "nothing",
                IllegalStateException::new,
                Duration.ofSeconds(10),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
    }

    /** Takes the frame if it is free; {@return whether it was} It is pinned then, and empty. */
    boolean tryTake() {
        if (pool.takeFree() != FRAME) {
            return false;
        }
        pool.publishPinned(FRAME);
        return true;
    }

    /** Loads the frame, and unpins it. */
    void load() {
        tryTake();
        pool.publish(FRAME, 0, false);
        pool.unpin(FRAME);
    }
}
