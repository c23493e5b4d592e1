// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.HitRatioEstimate;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Tier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AdviceTest {
    private static final int PAGES = 200_000;
    private static final int FRAMES = 16_000;
    private static final int REFERENCES = Tier.pick(300_000, 1_000_000, 1_000_000);
    /** Of Zipf's law. */
    private static final double SKEW = 0.86;

    private static final Map<String, IntFunction<ReplacementPolicy>> LRU = policies("lru");

    @ParameterizedTest
    @MethodSource("seeds")
    void estimatesOfALargeSampleLieWithinOneAndAHalfPointsOfTheExactHitRatios(long seed) {
        Map<String, IntFunction<ReplacementPolicy>> policies = policies("lru", "lirs", "nb-gclock3");
        Advice advice = Advice.recordingAll(FRAMES, 1_000, policies);
        Advice exact = Advice.recordingAll(FRAMES, FRAMES, policies);
        play(seed, advice, exact);

        assertThat(advice.rate()).isEqualTo(0.25);
        assertThat(exact.rate()).isEqualTo(1);
        List<HitRatioEstimate> expected = exact.estimates();
        List<HitRatioEstimate> estimates = advice.estimates();
        assertThat(estimates).hasSize(15);
        for (int i = 0; i < estimates.size(); i++) {
            assertThat(estimates.get(i).hitRatio())
                    .as("seed %s: %s against %s", seed, estimates.get(i), expected.get(i))
                    .isCloseTo(expected.get(i).hitRatio(), within(0.015));
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Tier.pick(1, 3, 30));
    }

    private static void play(long seed, Advice... advices) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int n = 0; n < REFERENCES; n++) {
            long page = next(random);
            for (Advice advice : advices) {
                advice.record(page);
            }
        }
    }

    private static long next(SplittableRandom random) {
        return (long) (PAGES * Math.pow(random.nextDouble(), 1 / (1 - SKEW)));
    }

    @Test
    void hottestPagesThatAreNotInTheSampleAreCountedAsHits() {
        Advice advice = Advice.recordingAll(FRAMES, 1_000, LRU);
        long hot = firstPage(advice.rate(), false);
        SplittableRandom random = new SplittableRandom(1);
        for (int n = 0; n < REFERENCES; n++) {
            advice.record(n % 2 == 0 ? hot : 1_000 + random.nextInt(10 * PAGES));
        }

        assertThat(ratio(advice, 0.25)).isCloseTo(0.5, within(0.015));
    }

    @Test
    void hottestPagesThatAreInTheSampleDoNotCountMoreThanTheirShare() {
        Advice advice = Advice.recordingAll(FRAMES, 1_000, LRU);
        long hot = firstPage(advice.rate(), true);
        SplittableRandom random = new SplittableRandom(1);
        for (int n = 0; n < REFERENCES; n++) {
            advice.record(n % 2 == 0 ? hot : 1_000 + random.nextInt(10 * PAGES));
        }

        assertThat(ratio(advice, 0.25)).isCloseTo(0.5, within(0.015));
    }

    private static long firstPage(double rate, boolean sampled) {
        SampledPages pages = new SampledPages(rate);
        long page = 0;
        while (pages.contains(page) != sampled) {
            page++;
        }
        return page;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void missesOfTheCacheCorrectTheEstimatesOfASmallSample(long seed) {
        Map<String, IntFunction<ReplacementPolicy>> policies = policies("lru", "lirs");
        Advice advice = Advice.recordingAll(FRAMES, Advice.LEAST_FRAMES, policies);
        Advice exact = Advice.recordingAll(FRAMES, FRAMES, policies);
        Map<Long, Boolean> cache = lru(FRAMES);
        SplittableRandom random = new SplittableRandom(seed);
        for (int n = 0; n < REFERENCES; n++) {
            long page = next(random);
            exact.record(page);
            advice.record(page);
            if (cache.put(page, true) == null) {
                advice.recordMiss();
            }
        }

        assertThat(ratio(advice, 1)).isCloseTo(ratio(exact, 1), within(1e-9));
        List<HitRatioEstimate> expected = exact.estimates();
        List<HitRatioEstimate> estimates = advice.estimates();
        for (int i = 0; i < estimates.size(); i++) {
            assertThat(estimates.get(i).hitRatio())
                    .as("seed %s: %s against %s", seed, estimates.get(i), expected.get(i))
                    .isCloseTo(expected.get(i).hitRatio(), within(0.015));
        }
    }

    @Test
    void smallCacheIsPlayedWholeAndItsEstimateIsExact() {
        Advice advice = Advice.recordingAll(2_000, 500, LRU);
        Map<Long, Boolean> resident = lru(1_000);
        SplittableRandom random = new SplittableRandom(5);
        int hits = 0;
        for (int n = 0; n < 100_000; n++) {
            long page = next(random);
            advice.record(page);
            hits += resident.put(page, true) == null ? 0 : 1;
        }

        assertThat(advice.rate()).isEqualTo(1);
        assertThat(ratio(advice, 0.5)).isEqualTo(hits / 100_000.0);
        assertThat(advice.dropped()).isZero();
    }

    private static Map<Long, Boolean> lru(int frames) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                return size() > frames;
            }
        };
    }

    @Test
    void estimatesAfterAResetAreThoseOfLaterReferences() {
        Advice advice = Advice.recordingAll(100, Advice.LEAST_FRAMES, LRU);
        for (int n = 0; n < 1_000; n++) {
            advice.record(n);
            advice.recordMiss();
        }
        assertThat(ratio(advice, 1)).isZero();

        advice.reset();
        assertThat(advice.estimates()).allMatch(estimate -> Double.isNaN(estimate.hitRatio()));
        for (int n = 0; n < 1_000; n++) {
            advice.record(n % 50 + 950); // the last 100 pages are in the miniature of the cache's size
        }
        assertThat(advice.estimates())
                .as("estimates of 1,000 samples after a reset")
                .allMatch(estimate -> estimate.sampled() == 1_000);
        assertThat(ratio(advice, 1)).isEqualTo(1);
        assertThat(ratio(advice, 0.25)).isZero();
    }

    /** They are those of a cache that has no miniature. */
    @Test
    void missesAfterAChangeOfTheCacheCorrectNoEstimate() {
        Advice advice = Advice.recordingAll(100, Advice.LEAST_FRAMES, LRU);
        for (int n = 0; n < 10_000; n++) {
            if (n == 5_000) {
                advice.onOtherCache();
            }
            advice.record(n % 1_000 < 500 ? n % 50 : n);
            advice.recordMiss(); // all are: the cache has one frame
        }

        assertThat(ratio(advice, 1)).isCloseTo(0.45, within(0.01));
    }

    @Test
    void nothingIsEstimatedWithoutReferences() {
        assertThat(Advice.recordingAll(10, Advice.LEAST_FRAMES, LRU).estimates())
                .hasSize(5)
                .allMatch(estimate -> Double.isNaN(estimate.hitRatio()) && estimate.sampled() == 0);
    }

    @Test
    void cacheOfOneFrameHasEstimates() {
        Advice advice = Advice.recordingAll(1, Advice.LEAST_FRAMES, LRU);
        for (int n = 0; n < 1_000; n++) {
            advice.record(n % 2);
        }

        assertThat(ratio(advice, 1)).isZero();
        assertThat(ratio(advice, 2)).isEqualTo(0.998);
    }

    @Test
    void samplesThatMustNotBePlayedYetAreDroppedAndCountedWhenTheQueueIsFull() {
        Advice advice = Advice.recordingAll(500, Advice.LEAST_FRAMES, LRU);
        for (int n = 0; n < SampleQueues.CAPACITY + 10; n++) {
            advice.add(n);
        }

        assertThat(advice.dropped()).isEqualTo(10);
        assertThat(advice.estimates()).allMatch(estimate -> estimate.sampled() == SampleQueues.CAPACITY);
    }

    /** A miss without its reference would make the cache look worse than it is. */
    @Test
    void missesInAPauseAreNotCounted() {
        long[] now = {0};
        Advice advice = new Advice(
                100,
                Advice.LEAST_FRAMES,
                LRU,
                most -> new RecordingTime(0.001, most, () -> now[0] += 1_000, (task, nanos) -> {}));
        boolean[] on = new boolean[1];
        advice.control(recording -> on[0] = recording);
        for (int n = 0; on[0]; n++) {
            advice.record(n % 200);
            if (n % 4 == 0) {
                advice.recordMiss();
            }
        }
        double before = ratio(advice, 1);
        assertThat(before)
                .as("hit ratio of a cache that missed every fourth page")
                .isCloseTo(0.75, within(0.001));
        for (int n = 0; n < 1_000_000; n++) {
            advice.recordMiss();
        }
        assertThat(ratio(advice, 1)).as("hit ratio after misses in a pause").isEqualTo(before);
    }

    @Test
    void policyThatFailsEndsItsOwnEstimatesOnly() {
        Map<String, IntFunction<ReplacementPolicy>> policies = new LinkedHashMap<>(LRU);
        policies.put("broken", frames -> new BrokenPolicy());
        Advice advice = Advice.recordingAll(100, Advice.LEAST_FRAMES, policies);
        for (int n = 0; n < 10_000; n++) {
            advice.record(n % 50);
        }

        assertThat(advice.estimates())
                .filteredOn(estimate -> estimate.policy().equals("broken"))
                .hasSize(5)
                .allMatch(estimate -> Double.isNaN(estimate.hitRatio()));
        assertThat(ratio(advice, 1)).isEqualTo(0.995);
    }

    private static double ratio(Advice advice, double factor) {
        return advice.estimates().stream()
                .filter(estimate -> estimate.policy().equals("lru") && estimate.sizeFactor() == factor)
                .findFirst()
                .orElseThrow()
                .hitRatio();
    }

    private static Map<String, IntFunction<ReplacementPolicy>> policies(String... names) {
        return Stream.of(names)
                .collect(toMap(
                        name -> name,
                        name -> frames -> name.startsWith("nb-")
                                ? Policies.create(name, frames)
                                : Policies.singleThreaded(name, frames),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    private static final class BrokenPolicy implements ReplacementPolicy {
        @Override
        public void onLoad(int frame, long identity, int generation) {
            throw new UnsupportedOperationException("broken");
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            return NONE;
        }

        @Override
        public void onCapacity(int frames) {
            // none is ever loaded
        }
    }
}
