// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static io.clockhand.cache.CounterCaches.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.cache.Counters.Step;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes, waits and their ends. */
class HolderCacheLimitsTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = caches.counters;

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "nb-gclock", "lru", "locked:lru"})
    void cacheGrowsPastItsCapacityWhenAllHoldersArePinnedAndShrinksBack(String policy) throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(3).policy(policy));
        List<Counter> pinned = new ArrayList<>();
        for (int key = 0; key < 100; key++) {
            pinned.add(cache.find(key));
        }
        assertThat(cache.stats().resident()).isEqualTo(100);
        assertThat(cache.stats().capacity()).isEqualTo(3);
        for (Counter counter : pinned) {
            cache.release(counter);
        }

        for (int key = 100; key < 150; key++) {
            touch(cache, key);
        }

        assertThat(cache.stats().frames()).isEqualTo(3);
        assertThat(cache.stats().resident()).isLessThanOrEqualTo(3);
        assertThat(cache.stats().maxResident()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "nb-gclock", "lru"})
    void cacheWithoutACleanerShrinksBackEvenIfEveryHolderBecomesDirty(String policy) throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(3).policy(policy));
        List<Counter> pinned = new ArrayList<>();
        for (int key = 0; key < 20; key++) {
            pinned.add(cache.find(key));
        }
        for (Counter counter : pinned) {
            counter.set(1);
            cache.release(counter);
        }

        for (int key = 100; key < 150; key++) {
            write(cache, key, key);
        }

        assertThat(cache.stats().frames()).isEqualTo(3);
        assertThat(counters.stored(19)).isEqualTo(1);
    }

    /** Counts the frames that it scans. */
    private static final class CountingPolicy extends ForwardingPolicy {
        private long scanned;

        CountingPolicy(ReplacementPolicy policy) {
            super(policy);
        }

        @Override
        public int evict(long identity, Claims claims) {
            return super.evict(identity, new Claims() {
                @Override
                public Outcome ageOrClaim(int frame) {
                    scanned++;
                    return claims.ageOrClaim(frame);
                }

                @Override
                public Outcome age(int frame) {
                    scanned++;
                    return claims.age(frame);
                }

                @Override
                public boolean tryClaim(int frame) {
                    scanned++;
                    return claims.tryClaim(frame);
                }

                @Override
                public Outcome claim(int frame) {
                    scanned++;
                    return claims.claim(frame);
                }
            });
        }
    }

    /** With a search among all frames for each step by which the cache grows, it would be hundreds for each holder. */
    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "lru"})
    void cacheThatGrowsFarPastItsCapacityScansAFewFramesForEachHolder(String policy) throws IOException {
        int holders = 10_000;
        CountingPolicy counting = new CountingPolicy(Policies.create(policy, 100));
        HolderCache<Integer, Counter, IOException> cache = caches.builder(100).build(counting);
        List<Counter> pinned = new ArrayList<>();

        for (int key = 0; key < holders; key++) {
            pinned.add(cache.find(key));
        }

        assertThat(counting.scanned).as("frames that were scanned").isLessThan(50L * holders);
        assertThat(cache.stats().frames()).isBetween(holders, holders + 100);
        for (Counter counter : pinned) {
            cache.release(counter);
        }
        cache.checkIntegrity();
    }

    @Test
    void exhaustedCacheNamesFramesPinsAHolderAndTheSetting() throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(1).maxFrames(2).exhaustedAfter(Duration.ofMillis(20)));
        Counter one = cache.find(41);
        Counter same = cache.find(41);
        Counter two = cache.find(42);

        assertThatThrownBy(() -> cache.find(43))
                .isInstanceOf(PoolExhaustedException.class)
                .hasMessageContaining("2 of 2 frames are pinned")
                .hasMessageContaining("3 pins")
                .hasMessageContaining("key 41, key 42")
                .hasMessageContaining("maxFrames");

        cache.release(one);
        cache.release(same);
        cache.release(two);
        touch(cache, 43);
    }

    @Test
    void finderOfAnExhaustedCacheGoesOnWhenAHolderIsReleased() throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(1).maxFrames(1));
        Counter pinned = cache.find(1);
        Worker<Void> finder = workers.run(() -> touch(cache, 2));
        finder.awaitParked();

        cache.release(pinned);

        finder.result();
    }

    @Test
    void finderBeyondTheGreatestNumberOfPinsWaitsForARelease() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.build(caches.builder(1));
        Counter counter = cache.find(1);
        for (int i = 1; i < 65_535; i++) {
            cache.find(1);
        }
        Worker<Void> finder = workers.run(() -> touch(cache, 1));
        finder.awaitParked();
        Worker<Void> visitor = workers.run(cache::cleanAll);
        visitor.awaitParked();

        cache.release(counter);

        finder.result();
        visitor.result();
        for (int i = 1; i < 65_535; i++) {
            cache.release(counter);
        }
        assertThat(cache.stats().pinned()).isZero();
    }

    @Test
    void waitForALoadEndsWithAMessageThatNamesIt() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.build(
                caches.builder(1).waitTimeout(Duration.ofMillis(10)).onLongWait(LongWaitHandler.GIVE_UP));
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, loading::pass);
        Worker<Void> loader = workers.run(() -> touch(cache, 1));
        loading.awaitReached();

        assertThatThrownBy(() -> cache.find(1))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("the content of key 1 in frame 0");
        assertThatThrownBy(() -> cache.findCached(1)).isInstanceOf(WaitTimeoutException.class);

        loading.open();
        loader.result();
        assertThat(cache.stats().pinned()).isZero();
    }

    @Test
    void removeThatTimesOutLeavesTheHolderPinned() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.build(
                caches.builder(1).waitTimeout(Duration.ofMillis(10)).onLongWait(LongWaitHandler.GIVE_UP));
        Counter counter = cache.find(1);
        cache.find(1);

        assertThatThrownBy(() -> cache.remove(counter))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("the last other pin of key 1")
                .hasMessageContaining("pins=2");

        cache.release(counter);
        cache.remove(counter);
    }

    @Test
    void handlerThatReturnsLetsTheWaitGoOn() throws IOException {
        Queue<String> waits = new ConcurrentLinkedQueue<>();
        HolderCache<Integer, Counter, IOException> cache = caches.build(
                caches.builder(1).waitTimeout(Duration.ofMillis(2)).onLongWait((what, waited) -> waits.add(what)));
        Counter counter = cache.find(1);
        cache.find(1);
        Worker<Void> remover = workers.run(() -> cache.remove(counter));

        Workers.await(() -> waits.size() >= 3, "the handler was not called again");
        cache.release(counter);

        remover.result();
        assertThat(waits.peek()).contains("the last other pin");
    }

    @Test
    void waitsAreUninterruptibleAndLeaveTheInterruptPending() throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(1).maxFrames(1));
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, loading::pass);
        Worker<Void> loader = workers.run(() -> touch(cache, 1));
        loading.awaitReached();
        Worker<Boolean> finder = workers.start(() -> {
            touch(cache, 1);
            return Thread.currentThread().isInterrupted();
        });
        finder.awaitParked();

        finder.thread().interrupt();
        loading.open();

        loader.result();
        assertThat(finder.result()).isTrue();
        Counter pinned = cache.find(1);
        Worker<Boolean> exhausted = workers.start(() -> {
            Thread.currentThread().interrupt();
            touch(cache, 2);
            return Thread.currentThread().isInterrupted();
        });
        exhausted.awaitParked();
        cache.release(pinned);
        assertThat(exhausted.result()).isTrue();
    }

    /** More virtual threads than carriers, all in waits: a wait that pinned its carrier would hang them. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsWaitWithoutTheirCarriers() throws Exception {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(2).maxFrames(2));
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, loading::pass);
        Worker<Void> loader = workers.run(() -> touch(cache, 1));
        loading.awaitReached();
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        CountDownLatch started = new CountDownLatch(200);
        CountDownLatch done = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            int key = i % 4;
            start.invoke(null, (Runnable) () -> {
                started.countDown();
                try {
                    touch(cache, 1, key);
                    done.countDown();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        assertThat(started.await(Workers.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(done.getCount()).isEqualTo(200);
        loading.open();

        assertThat(done.await(Workers.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        loader.result();
    }

    @Test
    void builderRefusesInvalidSettings() {
        assertThatThrownBy(() -> caches.builder(0)).hasMessageContaining("frames is 0");
        assertThatThrownBy(() -> caches.builder(2).maxFrames(1).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxFrames is 1");
        assertThatThrownBy(() -> caches.builder(2).policy("mru").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mru")
                .hasMessageContaining("nb-gclock3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "nb-gclock", "lru"})
    @Tag("nightly")
    void hitAllocatesNothing(String policy) throws Exception {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(4).policy(policy).tuning(t -> t.hand(ClockHand.STRIPED)));
        Integer key = 1;
        hit(cache, key, 20_000);

        long allocated = Allocations.ofEachRun(() -> hit(cache, key, 100_000));

        assertThat(allocated).isLessThan(10_000);
    }

    private static void hit(HolderCache<Integer, Counter, IOException> cache, Integer key, int times)
            throws IOException {
        for (int i = 0; i < times; i++) {
            cache.release(cache.find(key));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT876600H0.000000001S", "PT2562047788015215H30M7S"})
    void waitThatIsNotPositiveOrHasNoEndIsRefused(String duration) {
        Duration wait = Duration.parse(duration);
        String message = " is " + wait + "; it must be longer than 0, and not longer than PT876600H (a century)";
        assertThatThrownBy(() -> caches.builder(1).waitTimeout(wait))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("waitTimeout" + message);
        assertThatThrownBy(() -> caches.builder(1).exhaustedAfter(wait))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("exhaustedAfter" + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT876600H"})
    void shortestAndLongestWaitAreTaken(String duration) throws IOException {
        Duration wait = Duration.parse(duration);
        touch(caches.build(caches.builder(1).waitTimeout(wait).exhaustedAfter(wait)), 1, 2);
    }
}
