// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.HitRatioEstimate;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Allocations;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimates of hit ratios by a cache that {@linkplain CacheTuning#advises advises}. */
class AdvisingCacheTest {
    private static final int KEYS = 1_000;
    private static final int FRAMES = 64;
    private static final int FINDS = 20_000;

    private static HolderCacheBuilder<Integer, Counter, IOException> builder(int frames, String policy) {
        return HolderCache.builder(new Counters()).frames(frames).policy(policy);
    }

    private static HolderCache<Integer, Counter, IOException> advising(String policy) {
        return builder(FRAMES, policy)
                .tuning(t -> t.advises(true).adviceTimeFraction(1))
                .build();
    }

    /** Finds keys, some far more often than others. */
    private static void play(HolderCache<Integer, Counter, IOException> cache) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int n = 0; n < FINDS; n++) {
            cache.release(cache.find((int) (KEYS * Math.pow(random.nextDouble(), 3))));
        }
    }

    private static double hitRatio(int frames, String policy) throws IOException {
        try (HolderCache<Integer, Counter, IOException> cache =
                builder(frames, policy).build()) {
            cache.collectStats(true);
            play(cache);
            return (double) cache.stats().hits() / FINDS;
        }
    }

    private static double estimate(HolderCache<?, ?, ?> cache, String policy, double factor) {
        return cache.stats().estimates().stream()
                .filter(estimate -> estimate.policy().equals(policy) && estimate.sizeFactor() == factor)
                .findFirst()
                .orElseThrow()
                .hitRatio();
    }

    private static long references(HolderCache<?, ?, ?> cache) {
        return cache.stats().estimates().get(0).sampled();
    }

    @Test
    void cacheEstimatesNothingUnlessItIsAskedTo() throws IOException {
        try (HolderCache<Integer, Counter, IOException> cache =
                builder(FRAMES, Policies.DEFAULT).build()) {
            play(cache);
            assertThat(cache.stats().estimates()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "lru", "2r-gclock"})
    void estimatesOfASmallCacheAreTheHitRatiosOfCachesOfThoseSizes(String policy) throws IOException {
        try (HolderCache<Integer, Counter, IOException> cache = advising(policy)) {
            play(cache);
            for (double factor : new double[] {0.25, 0.5, 1, 2, 4}) {
                assertThat(estimate(cache, policy, factor))
                        .as("%s at %s", policy, factor)
                        .isCloseTo(hitRatio((int) (factor * FRAMES), policy), within(1e-9));
            }
            assertThat(estimate(cache, "lirs", 1)).isCloseTo(hitRatio(FRAMES, "lirs"), within(1e-9));
        }
    }

    @Test
    void eachWayToFindAHolderIsOneReference() throws IOException {
        try (HolderCache<Integer, Counter, IOException> cache = advising(Policies.DEFAULT)) {
            cache.release(cache.find(1));
            cache.release(cache.find(1));
            cache.release(cache.create(2, Counters.AS_STORED));
            cache.release(cache.findCached(2));
            assertThat(cache.findCached(3)).isNull(); // nothing that could have been in another cache
            assertThat(references(cache)).isEqualTo(4);
            assertThat(estimate(cache, Policies.DEFAULT, 1)).isEqualTo(0.5);
        }
    }

    /** A miss that no size avoids must not make the misses look many that a greater one does avoid. */
    @Test
    void findsOfKeysWithoutAnObjectAreNoMisses() throws IOException {
        try (HolderCache<Integer, Counter, IOException> cache = advising("lru")) {
            SplittableRandom random = new SplittableRandom(1);
            for (int n = 0; n < FINDS; n++) {
                assertThat(cache.find(-1 - n % 10)).isNull();
                cache.release(cache.find((int) (KEYS * Math.pow(random.nextDouble(), 3))));
            }
            double half = 0.5 + hitRatio(FRAMES, "lru") / 2; // those without an object are in none of the ten frames
            assertThat(estimate(cache, "lru", 1)).isCloseTo(half, within(0.05));
        }
    }

    @Test
    void policiesToCompareWithAreASetting() throws IOException {
        try (HolderCache<Integer, Counter, IOException> cache = builder(FRAMES, "lru")
                .tuning(t -> t.advises(true).advisedPolicies("2q", "2q(in=0.1)"))
                .build()) {
            assertThat(cache.stats().estimates().stream()
                            .map(HitRatioEstimate::policy)
                            .distinct())
                    .containsExactly("lru", "2q", "2q(in=0.1)");
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.1, Double.NaN})
    void shareOfTheTimeIsChecked(double share) {
        CacheTuning tuning = new CacheTuning();
        assertThatThrownBy(() -> tuning.adviceTimeFraction(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("adviceTimeFraction is " + share);
    }

    @Test
    @Tag("nightly")
    void hitsAllocateNothing() throws Exception {
        try (HolderCache<Integer, Counter, IOException> cache = advising(Policies.DEFAULT)) {
            int hits = 5_000;
            long bytes = Allocations.ofEachRun(() -> {
                for (int n = 0; n < hits; n++) {
                    cache.release(cache.find(n % 50)); // numbers that the JDK has boxed already
                }
            });
            assertThat(bytes).isLessThan(hits);
        }
    }
}
