// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.time.Duration;

/** The smallest pool: two frames, and pages of sixteen bytes. */
final class TwoFrames {
    private TwoFrames() {}

    static PagePool over(PageSource source, boolean optimistic) {
        PoolOptions options = new PoolOptions(
                "",
                true,
                2,
                2,
                true,
                Duration.ofSeconds(10),
                "",
                IllegalStateException::new,
                Duration.ofSeconds(10),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
        return new PagePool(
                options,
                16,
                Policies.create(Policies.DEFAULT, ClockHand.ATOMIC, 2),
                (frames, states) -> new ChainedPageTable(frames, states::identity),
                source,
                optimistic,
                false);
    }
}
