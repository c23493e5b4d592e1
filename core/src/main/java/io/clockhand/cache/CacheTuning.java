// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.advice.Advice;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Settings of a {@link HolderCache} that few programs need; see {@link HolderCacheBuilder#tuning}. Not thread-safe. */
public final class CacheTuning {
    ClockHand hand = ClockHand.DEFAULT;
    KeyTableKind table = KeyTableKind.DEFAULT;
    boolean foregroundCleaning = true;
    boolean advises;
    List<String> advisedPolicies = List.of("lirs");
    double adviceTimeFraction = Advice.DEFAULT_FRACTION;

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
     * Sets the table in which keys are looked up; {@link KeyTableKind#DEFAULT} if not set.
     *
     * @param keyTable the kind of table
     * @return this
     */
    public CacheTuning table(KeyTableKind keyTable) {
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

    /**
     * Sets whether the cache estimates the hit ratios that it would have at a quarter, half, once, twice and four times
     * its size, with its own policy and {@linkplain #advisedPolicies others}; if not set, it does not, and finds pay
     * nothing for it. References of a sample of the keys are played through small models of these caches, by the
     * threads that find holders. {@link HolderCacheStats#estimates} has the result. A key is recognized by its
     * {@linkplain HolderLifecycle#idOf tag}. A creation is a reference that was not found; a find of a key without an
     * object is a reference, but no miss: many of them distort the estimates. Holders that are pinned or dirty can be
     * evicted from the models, and those that were removed or discarded stay there.
     *
     * @param on whether it does
     * @return this
     */
    public CacheTuning advises(boolean on) {
        advises = on;
        return this;
    }

    /**
     * Sets for which policies besides the cache's own the cache estimates hit ratios, if it {@linkplain #advises does};
     * {@code lirs} if not set. Each takes memory and time.
     *
     * @param names some of {@link Policies#names()}, with parameters or without, or none
     * @return this
     * @throws IllegalArgumentException if there is no such policy, or a parameter is wrong
     */
    public CacheTuning advisedPolicies(String... names) {
        advisedPolicies = Stream.of(names).map(Policies::normalized).toList();
        return this;
    }

    /**
     * Sets the greatest fraction of a thread's time that the estimates may take, if the cache {@linkplain #advises
     * makes them}; 1/400 if not set. If recording all references would take more, they are recorded in bursts, with
     * pauses between them, once the models have been filled; so the estimates need more time. With 1 all are recorded.
     *
     * @param fraction greater than 0, at most 1
     * @return this
     */
    public CacheTuning adviceTimeFraction(double fraction) {
        adviceTimeFraction = Advice.checkedFraction(fraction);
        return this;
    }
}
