// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.policy.ClockHand;
import java.util.Objects;

/** Settings of a {@link HolderCache} that few programs need; see {@link HolderCacheBuilder#tuning}. Not thread-safe. */
public final class CacheTuning {
    ClockHand hand = ClockHand.DEFAULT;
    KeyTable table = KeyTable.DEFAULT;
    boolean foregroundCleaning = true;

    CacheTuning() {}

    /**
     * Sets how policies of the clock family move their hand; {@link ClockHand#DEFAULT} if not set.
     *
     * @param clockHand the kind of hand
     * @return this
     */
    public CacheTuning hand(ClockHand clockHand) {
        hand = Objects.requireNonNull(clockHand, "hand");
        return this;
    }

    /**
     * Sets the table in which keys are looked up; {@link KeyTable#DEFAULT} if not set.
     *
     * @param keyTable the kind of table
     * @return this
     */
    public CacheTuning table(KeyTable keyTable) {
        table = Objects.requireNonNull(keyTable, "table");
        return this;
    }

    /**
     * Sets whether a find writes a dirty victim back itself when the {@linkplain HolderCache#useCleaner cleaner} lags
     * behind; true if not set. If not, the cache grows beyond its frames until the cleaner has caught up. While a find
     * writes a victim back, other finds of the same key wait.
     *
     * @param allowed whether it may
     * @return this
     */
    public CacheTuning foregroundCleaning(boolean allowed) {
        foregroundCleaning = allowed;
        return this;
    }
}
