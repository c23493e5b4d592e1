// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.testing.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hits of the policies, in a real frame pool on one thread, are exactly those of their definitions. */
class HitCountTest {
    private static final int[] FRAMES = {1, 2, 3, 7, 16, 50};
    private static final int PAGES = 100;
    private static final int THREADS = 8;
    private static final int SEEDS = Tier.pick(1, 3, 100);
    /** References of a period of the paper's workload, with which it begins again. */
    private static final int PERIOD = 1_000_000;

    private static List<Boolean> hits(IntPredicate cache, int[] stream) {
        List<Boolean> hits = new ArrayList<>();
        for (int page : stream) {
            hits.add(cache.test(page));
        }
        return hits;
    }

    private static void expectSame(String name, ClockHand hand, IntFunction<IntPredicate> reference) {
        for (int frames : FRAMES) {
            for (long seed = 0; seed < SEEDS; seed++) {
                int[] stream = References.mixed(frames * 100L + seed, PAGES, 5_000);
                IntPredicate pool = new PooledPages(Policies.create(name, hand, frames), frames, PAGES)::reference;
                assertThat(hits(pool, stream))
                        .as("%s, %s hand, %d frames, seed %d", name, hand, frames, seed)
                        .isEqualTo(hits(reference.apply(frames), stream));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ClockHand.class)
    void nbGclockHitsWhatGclockHits(ClockHand hand) {
        expectSame("nb-gclock", hand, frames -> new NaiveCaches.Gclock(frames, Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @EnumSource(ClockHand.class)
    void nbGclock3HitsWhatGclockWithWeightsUpTo3Hits(ClockHand hand) {
        expectSame("nb-gclock3", hand, frames -> new NaiveCaches.Gclock(frames, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lru", "locked:lru", "bp:lru"})
    void lruHitsWhatTheJdksAccessOrderHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveCaches.JdkLru::new);
    }

    @ParameterizedTest
    @CsvSource({"gclock, 2147483647", "locked:gclock, 2147483647", "spin:gclock3, 3", "gclock3, 3", "clock, 2"})
    void gclockUnderALockHitsWhatGclockHits(String name, int cap) {
        expectSame(name, ClockHand.DEFAULT, frames -> new NaiveCaches.Gclock(frames, cap));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2q", "spin:2q", "bp:2q"})
    void twoQHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveCaches.Full2Q::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "bp:fifo", "buffered:fifo"})
    void fifoHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveCaches.Fifo::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lirs", "bp:lirs"})
    void lirsHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveCaches.Lirs::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mq", "bp:mq"})
    void mqHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveCaches.Mq::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sieve", "bp:sieve"})
    void sieveHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveAdaptiveCaches.Sieve::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3-fifo", "bp:s3-fifo"})
    void s3FifoHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveAdaptiveCaches.S3Fifo::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"arc", "bp:arc"})
    void arcHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveAdaptiveCaches.Arc::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"car", "bp:car"})
    void carHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveAdaptiveCaches.Car::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"clock-pro", "bp:clock-pro"})
    void clockProHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveAdaptiveCaches.ClockPro::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"w-tinylfu", "bp:w-tinylfu"})
    void wTinyLfuHitsWhatItsDefinitionHits(String name) {
        expectSame(name, ClockHand.DEFAULT, NaiveAdaptiveCaches.WTinyLfu::new);
    }

    /** Simulated targets of the paper's workload, in percent. */
    @ParameterizedTest
    @CsvSource({"lru, 0.86, 4096, 50.99", "nb-gclock3, 0.86, 8192, 64.07"})
    void hitRatioOfOnePeriodOfThePapersWorkload(String name, double skew, int frames, double percent) {
        expectRatio(name, skew, frames, percent, PERIOD / 2, PERIOD);
    }

    @Tag("ci")
    @ParameterizedTest
    @CsvSource({
        "lru, 0.86, 4096, 50.99",
        "nb-gclock3, 0.86, 8192, 64.07",
        "nb-gclock, 0.86, 16384, 77.22",
        "nb-gclock3, 0.5, 4096, 16.84",
        "gclock, 0.86, 4096, 54.10",
        "clock, 0.86, 8192, 63.01",
        "2q, 0.86, 4096, 57.55",
        "2q, 0.5, 8192, 32.14",
        "lirs, 0.86, 4096, 57.34",
        "buffered:lirs, 0.86, 8192, 66.59",
        "buffered:lru, 0.86, 16384, 74.86",
        "2r-gclock, 0.86, 4096, 59.9",
        "2r-gclock, 0.5, 8192, 34.55",
    })
    void hitRatioOfThePapersWorkload(String name, double skew, int frames, double percent) {
        expectRatio(name, skew, frames, percent);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "lru, 50.99, 61.90, 74.86, 90.04, 15.75, 27.08, 45.70, 75.46",
        "nb-gclock, 54.10, 64.89, 77.22, 91.12, 17.22, 29.40, 48.59, 77.54",
        "nb-gclock3, 53.26, 64.07, 76.53, 90.87, 16.84, 28.74, 47.61, 76.59",
        "clock, 52.22, 63.01, 75.62, 90.19, 16.37, 27.94, 46.57, 75.90",
        "gclock, 54.10, 64.89, 77.22, 91.12, 17.22, 29.40, 48.59, 77.54",
        "gclock3, 53.26, 64.07, 76.53, 90.87, 16.84, 28.74, 47.61, 76.59",
        "2q, 57.55, 66.39, 76.56, 90.08, 21.66, 32.14, 48.33, 75.42",
        "lirs, 57.34, 66.59, 77.56, 90.79, 20.26, 31.28, 48.83, 76.57",
    })
    void everyHitRatioOfThePapersWorkload(
            String name,
            double p4096,
            double p8192,
            double p16384,
            double p32768,
            double q4096,
            double q8192,
            double q16384,
            double q32768) {
        expectRatio(name, 0.86, 4096, p4096);
        expectRatio(name, 0.86, 8192, p8192);
        expectRatio(name, 0.86, 16384, p16384);
        expectRatio(name, 0.86, 32768, p32768);
        expectRatio(name, 0.5, 4096, q4096);
        expectRatio(name, 0.5, 8192, q8192);
        expectRatio(name, 0.5, 16384, q16384);
        expectRatio(name, 0.5, 32768, q32768);
    }

    private static void expectRatio(String name, double skew, int frames, double percent) {
        expectRatio(name, skew, frames, percent, 2 * PERIOD, 6 * PERIOD);
    }

    private static void expectRatio(String name, double skew, int frames, double percent, int warmUp, int measured) {
        IntUnaryOperator references = References.paper(skew);
        PooledPages pool = new PooledPages(Policies.create(name, frames), frames, References.PAPER_KEYS);
        int hits = 0;
        for (int n = 0; n < warmUp + measured; n++) {
            boolean hit = pool.reference(references.applyAsInt(n));
            hits += hit && n >= warmUp ? 1 : 0;
        }
        assertThat(100.0 * hits / measured)
                .as("%s with %d frames, skew %s", name, frames, skew)
                .isCloseTo(percent, within(0.1));
    }

    /** Threads in turn, so that each resumes its range after the hand has moved on. */
    @ParameterizedTest
    @ValueSource(ints = {64, 100, 1_000})
    void handThatIsSharedInRangesKeepsTheHitRatio(int frames) throws Exception {
        int references = Tier.pick(50_000, 100_000, 1_000_000);
        IntUnaryOperator stream = References.paper(0.86);
        double atomic = hitsByThreadsInTurn(ClockHand.ATOMIC, frames, stream, references);
        double batched = hitsByThreadsInTurn(ClockHand.BATCHED, frames, stream, references);

        assertThat(batched / references).isCloseTo(atomic / references, within(0.005));
    }

    private static int hitsByThreadsInTurn(ClockHand hand, int frames, IntUnaryOperator stream, int references)
            throws Exception {
        PooledPages pages =
                new PooledPages(Policies.create(Policies.DEFAULT, hand, frames), frames, References.PAPER_KEYS);
        int[] hits = {0};
        int[] next = {0};
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int mine = i;
                running.add(threads.submit(() -> {
                    start.await();
                    for (boolean more = true; more; ) {
                        synchronized (next) {
                            while (next[0] < references && next[0] / 16 % THREADS != mine) {
                                next.wait();
                            }
                            more = next[0] < references;
                            if (more) {
                                hits[0] += pages.reference(stream.applyAsInt(next[0]++)) ? 1 : 0;
                            }
                            if (next[0] % 16 == 0 || !more) {
                                next.notifyAll();
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> thread : running) {
                try {
                    thread.get(2, TimeUnit.MINUTES);
                } catch (TimeoutException e) {
                    throw new AssertionError("a thread is stuck", e);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        return hits[0];
    }
}
