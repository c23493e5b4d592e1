// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.LongWaitHandler;
import io.clockhand.PoolExhaustedException;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a {@link HolderCache}. Not thread-safe.
 *
 * @param <K> the keys
 * @param <V> the holders
 * @param <X> the checked exception of the lifecycle
 */
public final class HolderCacheBuilder<K, V, X extends Exception> {
    private static final int GREATEST_CAPACITY = 1 << 26;

    final HolderLifecycle<K, V, X> lifecycle;
    int capacity = 1_000;
    KeyTable table = KeyTable.DEFAULT;
    private int hardCapacity = GREATEST_CAPACITY;
    private String policy = Policies.DEFAULT;
    private ClockHand hand = ClockHand.DEFAULT;
    private boolean foregroundCleaning = true;
    private Duration exhaustedAfter = Duration.ofSeconds(10);
    private Duration longWait = Duration.ofSeconds(60);
    private LongWaitHandler longWaitHandler = LongWaitHandler.GIVE_UP;

    HolderCacheBuilder(HolderLifecycle<K, V, X> lifecycle) {
        this.lifecycle = Objects.requireNonNull(lifecycle, "lifecycle");
    }

    /**
     * Sets the soft maximum of holders; 1,000 if not set.
     *
     * @param holders at least 1
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> capacity(int holders) {
        capacity = within(holders, "capacity");
        return this;
    }

    /**
     * Sets how far the cache may grow when every holder is kept; as good as unlimited if not set. At that size a find
     * waits for a release, and then throws {@link PoolExhaustedException}.
     *
     * @param holders at least the capacity
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> hardCapacity(int holders) {
        hardCapacity = within(holders, "hardCapacity");
        return this;
    }

    /**
     * Sets the replacement policy; {@link Policies#DEFAULT} if not set.
     *
     * @param name one of {@link Policies#names()}
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> policy(String name) {
        policy = Objects.requireNonNull(name, "policy");
        return this;
    }

    /**
     * Sets how policies of the clock family move their hand; {@link ClockHand#DEFAULT} if not set.
     *
     * @param clockHand the kind of hand
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> hand(ClockHand clockHand) {
        hand = Objects.requireNonNull(clockHand, "hand");
        return this;
    }

    /**
     * Sets the table in which keys are looked up; {@link KeyTable#DEFAULT} if not set.
     *
     * @param keyTable the kind of table
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> table(KeyTable keyTable) {
        table = Objects.requireNonNull(keyTable, "table");
        return this;
    }

    /**
     * Sets whether a find writes a dirty victim back itself when the {@linkplain HolderCache#useCleaner cleaner} lags
     * behind; true if not set. If not, the
     * cache grows past its capacity until the cleaner has caught up. While a find writes a victim back, other finds of
     * the same key wait.
     *
     * @param allowed whether it may
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> foregroundCleaning(boolean allowed) {
        foregroundCleaning = allowed;
        return this;
    }

    /**
     * Sets how long a find waits when every holder is kept and the cache may not grow; 10 seconds if not set.
     *
     * @param wait the longest wait
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> exhaustedAfter(Duration wait) {
        exhaustedAfter = Objects.requireNonNull(wait, "exhaustedAfter");
        return this;
    }

    /**
     * Sets what happens when a thread waits long for another one; after 60 seconds it gives up if not set.
     *
     * @param every after how long, and how often again, the handler is called
     * @param handler gives up by throwing, or lets the wait go on
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> onLongWait(Duration every, LongWaitHandler handler) {
        longWait = Objects.requireNonNull(every, "every");
        longWaitHandler = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Makes the cache.
     *
     * @return a new, empty cache
     * @throws IllegalArgumentException if the policy is unknown or the capacities contradict each other
     */
    public HolderCache<K, V, X> build() {
        return build(Policies.create(policy, hand, capacity));
    }

    /** For tests: with a policy of their own. */
    HolderCache<K, V, X> build(ReplacementPolicy replacement) {
        if (hardCapacity < capacity) {
            throw new IllegalArgumentException(
                    "hardCapacity is " + hardCapacity + ", which is less than the capacity of " + capacity);
        }
        return new HolderCache<>(this, replacement);
    }

    PoolOptions poolOptions() {
        return new PoolOptions(
                "",
                false,
                capacity,
                hardCapacity,
                foregroundCleaning,
                exhaustedAfter,
                "release holders sooner, or raise hardCapacity",
                PoolExhaustedException::new,
                longWait,
                longWaitHandler::onLongWait);
    }

    private static int within(int holders, String setting) {
        if (holders < 1 || holders > GREATEST_CAPACITY) {
            throw new IllegalArgumentException(
                    setting + " is " + holders + "; it must lie between 1 and " + GREATEST_CAPACITY);
        }
        return holders;
    }
}
