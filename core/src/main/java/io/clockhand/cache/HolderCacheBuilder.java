// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.LongWaitHandler;
import io.clockhand.PoolExhaustedException;
import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Settings of a {@link HolderCache}. Settings that {@code io.clockhand.page.BufferPoolBuilder} has, too, mean the same
 * there, but for {@link #frames} and {@link #maxFrames}: a cache grows past the former by itself, a pool only when it
 * is resized. Not thread-safe.
 *
 * @param <K> the keys
 * @param <V> the holders
 * @param <X> the checked exception of the lifecycle
 */
public final class HolderCacheBuilder<K, V, X extends Exception> {
    private static final int GREATEST_FRAMES = 1 << 26;

    final HolderLifecycle<K, V, X> lifecycle;
    private final CacheTuning tuning = new CacheTuning();
    private int frames = 1_000;
    private int maxFrames = GREATEST_FRAMES;
    private String policy = Policies.DEFAULT;
    /** Null for the policy of that name. */
    private IntFunction<ReplacementPolicy> policyMaker;

    private Duration exhaustedAfter = Duration.ofSeconds(10);
    private Duration waitTimeout = Duration.ofSeconds(30);
    private LongWaitHandler longWaitHandler = LongWaitHandler.GIVE_UP;
    /** Empty for none. */
    private String name = "";

    HolderCacheBuilder(HolderLifecycle<K, V, X> lifecycle) {
        this.lifecycle = Objects.requireNonNull(lifecycle, "lifecycle");
    }

    /**
     * Sets how many holders fit into the cache; 1,000 if not set. The cache grows beyond that while all are pinned.
     *
     * @param count at least 1
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> frames(int count) {
        frames = within(count, "frames");
        return this;
    }

    /**
     * Sets how far the cache may grow while every holder is pinned; 67,108,864 if not set. At that size a find waits
     * for a release, and then throws {@link PoolExhaustedException}.
     *
     * @param count at least {@link #frames}
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> maxFrames(int count) {
        maxFrames = within(count, "maxFrames");
        return this;
    }

    /**
     * Sets the replacement policy; {@link Policies#DEFAULT} if not set.
     *
     * @param policyName one of {@link Policies#names()}, with parameters or without, as {@code 2q(in=0.3)}
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> policy(String policyName) {
        policy = Objects.requireNonNull(policyName, "policy");
        policyMaker = null;
        return this;
    }

    /**
     * Sets a replacement policy of the caller's, or one under a lock of the caller's (see {@link Policies}).
     *
     * @param policyName its name
     * @param maker makes a new, thread-safe policy for a number of frames; called by {@link #build}
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> policy(String policyName, IntFunction<ReplacementPolicy> maker) {
        policy = Objects.requireNonNull(policyName, "policy");
        policyMaker = Objects.requireNonNull(maker, "maker");
        return this;
    }

    /**
     * Sets how long a find waits when every holder is pinned and the cache may not grow; 10 seconds if not set.
     *
     * @param wait the longest wait: longer than 0, at most 36,525 days
     * @return this builder
     * @throws IllegalArgumentException if it is not within these limits
     */
    public HolderCacheBuilder<K, V, X> exhaustedAfter(Duration wait) {
        exhaustedAfter = BoundedWait.checkedBound(wait, "exhaustedAfter");
        return this;
    }

    /**
     * Sets how long a thread waits for another one, which loads, evicts, writes or uses a holder; 30 seconds if not
     * set. Then the {@linkplain #onLongWait handler} is called.
     *
     * @param wait the longest wait: longer than 0, at most 36,525 days
     * @return this builder
     * @throws IllegalArgumentException if it is not within these limits
     */
    public HolderCacheBuilder<K, V, X> waitTimeout(Duration wait) {
        waitTimeout = BoundedWait.checkedBound(wait, "waitTimeout");
        return this;
    }

    /**
     * Sets what happens when a wait lasts longer than {@link #waitTimeout}; {@link LongWaitHandler#GIVE_UP} if not set.
     *
     * @param handler gives up by throwing, or returns, so that the wait goes on for the same time again
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> onLongWait(LongWaitHandler handler) {
        longWaitHandler = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Names the cache in recorded events; it has no name if not set.
     *
     * @param cacheName the name
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> name(String cacheName) {
        if (cacheName.isBlank()) {
            throw new IllegalArgumentException("the name is blank; without a call there is none");
        }
        name = cacheName;
        return this;
    }

    /**
     * Sets what few programs need: {@code tuning(t -> t.table(KeyTableKind.CHAINED))}.
     *
     * @param settings changes the settings it is given
     * @return this builder
     */
    public HolderCacheBuilder<K, V, X> tuning(Consumer<CacheTuning> settings) {
        settings.accept(tuning);
        return this;
    }

    /**
     * Makes the cache.
     *
     * @return a new, empty cache
     * @throws IllegalArgumentException if the policy or one of its parameters is unknown, or {@code maxFrames} is less
     *     than {@code frames}
     */
    public HolderCache<K, V, X> build() {
        return build(policyMaker == null ? Policies.create(policy, tuning.hand, frames) : makePolicy());
    }

    private ReplacementPolicy makePolicy() {
        ReplacementPolicy made = policyMaker.apply(frames);
        if (made == null) {
            throw new IllegalArgumentException("the maker of the policy " + policy + " has made none");
        }
        return made;
    }

    /** For tests: with a policy of their own. */
    HolderCache<K, V, X> build(ReplacementPolicy replacement) {
        if (maxFrames < frames) {
            throw new IllegalArgumentException(
                    "maxFrames is " + maxFrames + ", which is less than frames, which is " + frames);
        }
        return new HolderCache<>(this, replacement);
    }

    int frames() {
        return frames;
    }

    /** {@return what estimates hit ratios, or null} */
    Advice newAdvice() {
        return tuning.advises
                ? Advice.of(frames, tuning.adviceTimeFraction, policy, policyMaker, tuning.advisedPolicies)
                : null;
    }

    KeyTableKind table() {
        return tuning.table;
    }

    PoolOptions poolOptions() {
        return new PoolOptions(
                name,
                frames,
                maxFrames,
                tuning.foregroundCleaning,
                exhaustedAfter,
                "release holders sooner, or raise maxFrames",
                PoolExhaustedException::new,
                waitTimeout,
                longWaitHandler::onLongWait);
    }

    private static int within(int count, String setting) {
        if (count < 1 || count > GREATEST_FRAMES) {
            throw new IllegalArgumentException(
                    setting + " is " + count + "; it must lie between 1 and " + GREATEST_FRAMES);
        }
        return count;
    }
}
