// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.Policies;
import java.time.Duration;

/** Pools of frames for objects of a test. */
public final class StubPools {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG_WAIT = Duration.ofHours(1);

    private StubPools() {}

    /** {@return a pool with a policy by name} */
    public static StubPool create(String policy, int soft, int hard, StubContents contents) {
        return new StubPool(options(soft, hard), Policies.create(policy, soft), contents);
    }

    /** {@return options of a pool whose misses wait for five milliseconds} */
    public static PoolOptions options(int soft, int hard) {
        return new PoolOptions(
                "",
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
