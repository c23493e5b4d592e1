// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.policy.Policies;
import java.time.Duration;

/** Pools of frames for contents of a test. */
final class StubPools {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    static final Duration LONG_WAIT = Duration.ofHours(1);

    private StubPools() {}

    static FramePool<RuntimeException> create(String policy, int soft, int hard, StubContents contents) {
        FramePool<RuntimeException> pool =
                new FramePool<>(options(soft, hard), Policies.create(policy, soft), contents);
        pool.collect(true);
        return pool;
    }

    static PoolOptions options(int soft, int hard) {
        return new PoolOptions(
                "",
                false,
                soft,
                hard,
                true,
                Duration.ofMillis(5),
                "release holders sooner, or raise hardCapacity",
                IllegalStateException::new,
                LONG_WAIT,
                (what, waited) -> {
                    throw new IllegalStateException("waited for " + what);
                });
    }
}
