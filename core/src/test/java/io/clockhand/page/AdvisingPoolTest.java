// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.HitRatioEstimate;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimates of hit ratios by a pool that {@linkplain PoolTuning#advises advises}. */
class AdvisingPoolTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static final int PAGES = 1_000;
    private static final int FRAMES = 64;
    private static final int REFERENCES = 20_000;

    private static BufferPoolBuilder advising(int frames) {
        return Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(frames)
                .tuning(t -> t.advises(true).adviceTimeFraction(1));
    }

    /** Fixes pages for reading, some far more often than others. */
    private static void play(BufferPool pool, PagedFile file, long seed, int references) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        PageGuard guard = pool.newGuard();
        for (int n = 0; n < references; n++) {
            guard.fix(file.id((long) (PAGES * Math.pow(random.nextDouble(), 3))))
                    .close();
        }
    }

    private static double hitRatio(BufferPoolBuilder builder) throws IOException {
        try (BufferPool pool = builder.tuning(t -> t.advises(false)).build()) {
            pool.collectStats(true);
            play(pool, pool.open(0, new StampedStore(PAGES)), 1, REFERENCES);
            return pool.stats().hitRatio();
        }
    }

    private static double estimate(BufferPool pool, String policy, double factor) {
        return pool.stats().estimates().stream()
                .filter(estimate -> estimate.policy().equals(policy) && estimate.sizeFactor() == factor)
                .findFirst()
                .orElseThrow()
                .hitRatio();
    }

    private static long references(BufferPool pool) {
        return pool.stats().estimates().get(0).sampled();
    }

    @Test
    void poolEstimatesNothingUnlessItIsAskedTo() throws IOException {
        try (BufferPool pool = SmallPools.small().build()) {
            SmallPools.expectRight(pool, pool.open(0, new StampedStore(10)), 3);
            assertThat(pool.stats().estimates()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "nb-gclock", "lru", "2q", "lirs", "mq", "clock", "2r-gclock"})
    void estimatesOfASmallPoolAreTheHitRatiosOfPoolsOfThoseSizes(String policy) throws IOException {
        try (BufferPool pool = advising(FRAMES).policy(policy).build()) {
            play(pool, pool.open(0, new StampedStore(PAGES)), 1, REFERENCES);
            for (double factor : new double[] {0.25, 0.5, 1, 2, 4}) {
                assertThat(estimate(pool, policy, factor))
                        .as("%s at %s", policy, factor)
                        .isCloseTo(hitRatio(advising((int) (factor * FRAMES)).policy(policy)), within(1e-9));
            }
            assertThat(estimate(pool, "lirs", 1))
                    .isCloseTo(hitRatio(advising(FRAMES).policy("lirs")), within(1e-9));
        }
    }

    @Test
    void policiesToCompareWithAreASetting() throws IOException {
        BufferPoolBuilder builder =
                advising(FRAMES).policy("bp:lru").tuning(t -> t.advisedPolicies("2q", "locked:mq", "2q"));
        try (BufferPool pool = builder.build()) {
            play(pool, pool.open(0, new StampedStore(PAGES)), 1, REFERENCES);
            assertThat(policiesOf(pool)).containsExactly("bp:lru", "2q", "locked:mq");
            assertThat(estimate(pool, "bp:lru", 1))
                    .isCloseTo(hitRatio(advising(FRAMES).policy("lru")), within(1e-9));
            assertThat(estimate(pool, "locked:mq", 2))
                    .isCloseTo(hitRatio(advising(2 * FRAMES).policy("mq")), within(1e-9));
        }
    }

    /** Their references are not played, so their misses must not count either. */
    @Test
    void scansChangeNoEstimate() throws IOException {
        try (BufferPool pool = advising(FRAMES).policy("lru").build()) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            play(pool, file, 1, REFERENCES);
            double before = estimate(pool, "lru", 1);
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < PAGES; page++) {
                guard.fixForScan(file.id(page)).close();
            }
            assertThat(estimate(pool, "lru", 1)).isCloseTo(before, within(1e-9));
        }
    }

    @Test
    void poolMayBeComparedWithNoOtherPolicy() throws IOException {
        try (BufferPool pool =
                advising(FRAMES).tuning(PoolTuning::advisedPolicies).build()) {
            assertThat(policiesOf(pool)).containsExactly(Policies.DEFAULT);
        }
    }

    private static Stream<String> policiesOf(BufferPool pool) {
        return pool.stats().estimates().stream().map(HitRatioEstimate::policy).distinct();
    }

    @Test
    void unknownPolicyToCompareWithIsRefused() {
        PoolTuning tuning = new PoolTuning();
        assertThatThrownBy(() -> tuning.advisedPolicies("lru", "none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no policy 'none'");
    }

    @Test
    void policyOfTheCallersIsEstimatedToo() throws IOException {
        IntFunction<ReplacementPolicy> maker =
                frames -> Policies.locked(Policies.singleThreaded("fifo", frames), new ReentrantLock());
        try (BufferPool pool = advising(FRAMES).policy("mine", maker).build()) {
            play(pool, pool.open(0, new StampedStore(PAGES)), 1, REFERENCES);
            assertThat(estimate(pool, "mine", 0.5))
                    .isCloseTo(hitRatio(advising(FRAMES / 2).policy("fifo")), within(1e-9));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "lru"})
    void eachWayToFixAPageIsOneReference(String policy) throws IOException {
        try (BufferPool pool = advising(FRAMES).policy(policy).build()) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            long id = file.id(7);
            pool.fix(id).close();
            pool.fixUpgradable(id).close();
            pool.fixExclusive(id).close();
            assertThat(references(pool)).isEqualTo(3);

            PageGuard guard = pool.newGuard();
            assertThat(guard.tryFix(id)).isTrue();
            guard.close();
            assertThat(guard.tryFixUpgradable(id)).isTrue();
            guard.close();
            assertThat(guard.tryFix(file.id(8))).isFalse(); // not resident
            assertThat(references(pool)).isEqualTo(5);

            OptimisticPage page = pool.newOptimisticPage();
            page.read(id);
            page.read(id);
            page.read(file.id(9));
            page.close();
            assertThat(references(pool)).isEqualTo(8);

            OptimisticGroup group = pool.newOptimisticGroup(4);
            group.read(new long[] {file.id(11), id, file.id(12), file.id(9)}, 0, 4);
            group.close();
            assertThat(references(pool)).isEqualTo(12);

            file.create().close();
            assertThat(references(pool)).isEqualTo(13);
        }
    }

    @Test
    @Tag("nightly")
    void hitsAllocateNothing() throws Exception {
        try (BufferPool pool = advising(FRAMES).build()) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            PageGuard guard = pool.newGuard();
            int hits = 5_000;
            long bytes = Allocations.ofEachRun(() -> {
                for (int n = 0; n < hits; n++) {
                    guard.fix(file.id(n % 50)).close();
                }
            });
            assertThat(bytes).isLessThan(hits);
        }
    }

    @Test
    void estimatesOfManyThreadsAreNearTheHitRatioOfOne() throws Exception {
        int threads = 4;
        long all = 4L * REFERENCES;
        try (BufferPool pool = advising(FRAMES).build()) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            // a thread that finds another one recording does not wait, so on a busy machine few may be recorded
            for (int round = 1; round <= 50 && references(pool) < all / 10; round++) {
                List<Workers.Worker<Void>> running = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    long seed = 10L * round + thread;
                    running.add(workers.run(() -> {
                        play(pool, file, seed, REFERENCES);
                        pool.stats();
                    }));
                }
                running.forEach(Workers.Worker::result);
            }
            assertThat(references(pool)).isGreaterThanOrEqualTo(all / 10);
            assertThat(estimate(pool, Policies.DEFAULT, 2)).isCloseTo(hitRatio(advising(2 * FRAMES)), within(0.03));
        }
    }

    @Test
    void estimatesAreAttributesOfTheManagementBean() throws Exception {
        try (BufferPool pool = advising(FRAMES).name("advised").build();
                BufferPool other = SmallPools.small().name("other").build()) {
            play(pool, pool.open(0, new StampedStore(PAGES)), 1, REFERENCES);
            BufferPoolMXBean bean = bean("advised");
            assertThat(bean.isAdvising()).isTrue();
            assertThat(bean.getEstimatedHitRatios())
                    .hasSize(10)
                    .containsEntry("lirs at 0.5", estimate(pool, "lirs", 0.5))
                    .containsEntry("nb-gclock3 at 4.0", estimate(pool, "nb-gclock3", 4));
            assertThat(bean.getSampledReferences()).isEqualTo(REFERENCES);
            bean.resetEstimates();
            assertThat(bean.getSampledReferences()).isZero();

            assertThat(bean(other.name()).isAdvising()).isFalse();
            assertThat(bean(other.name()).getEstimatedHitRatios()).isEmpty();
            assertThat(bean(other.name()).getSampledReferences()).isZero();
        }
    }

    private static BufferPoolMXBean bean(String name) throws Exception {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(),
                new ObjectName("io.clockhand:type=BufferPool,name=" + name),
                BufferPoolMXBean.class);
    }
}
