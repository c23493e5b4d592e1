// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How holders come in. */
class HolderCacheLoadTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = caches.counters;

    @ParameterizedTest
    @EnumSource(KeyTableKind.class)
    void holderIsLoadedOnceAndFoundAgain(KeyTableKind table) throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(2).tuning(t -> t.table(table)));
        Counter counter = cache.find(1);
        assertThat(cache.find(1)).isSameAs(counter);
        assertThat(cache.findCached(1)).isSameAs(counter);
        assertThat(counters.loads(1)).isEqualTo(1);
        assertThat(cache.stats().pinned()).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            cache.release(counter);
        }
        assertThat(cache.stats().pinned()).isZero();
        assertThat(cache.stats().hits()).isEqualTo(2);
        assertThat(cache.stats().misses()).isEqualTo(1);
    }

    @Test
    void keyWithNothingBehindItLeavesNothingInTheCache() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);

        assertThat(cache.find(-1)).isNull();
        assertThat(cache.find(-1)).isNull();

        assertThat(counters.loads(-1)).isEqualTo(2);
        assertThat(cache.stats().resident()).isZero();
        touch(cache, 1);
    }

    @Test
    void createThatGivesNothingLeavesNothingInTheCache() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);

        assertThat(cache.create(1, null)).isNull();

        assertThat(cache.findCached(1)).isNull();
        touch(cache, 1);
    }

    @Test
    void objectThatTheLoadReturnsTakesThePlaceOfTheHolder() throws IOException {
        Counter another = new Counter();
        another.key = 5;
        Counters exchanging = new Counters() {
            @Override
            public Counter load(Counter holder, Integer key) {
                return another;
            }
        };
        try (HolderCache<Integer, Counter, IOException> cache =
                HolderCache.builder(exchanging).frames(1).build()) {
            assertThat(cache.find(5)).isSameAs(another);
            cache.release(another);
            assertThat(cache.values()).containsExactly(another);
            cache.checkIntegrity();
        }
    }

    static List<Throwable> failures() {
        return List.of(
                new IOException("disk"), new IllegalArgumentException("format"), new OutOfMemoryError("no heap left"));
    }

    private static Counters.Hook throwing(Throwable failure) {
        return () -> {
            if (failure instanceof IOException checked) {
                throw checked;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
    }

    @ParameterizedTest
    @MethodSource("failures")
    void loadThatFailsLeavesNothingAndTheNextFindTriesAgain(Throwable failure) throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        counters.on(Step.LOAD, 1, throwing(failure));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> cache.find(1)).isSameAs(failure);
            assertThat(cache.stats().resident()).isZero();
            assertThat(cache.findCached(1)).isNull();
        }
        counters.off(Step.LOAD, 1);

        touch(cache, 1);

        assertThat(cache.stats().resident()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void createThatFailsLeavesNothing(Throwable failure) throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        counters.on(Step.CREATE, 1, throwing(failure));

        assertThatThrownBy(() -> cache.create(1, 5L)).isSameAs(failure);

        counters.off(Step.CREATE, 1);
        Counter counter = cache.create(1, 6L);
        assertThat(counter.value).isEqualTo(6);
        cache.release(counter);
    }

    @Test
    void holderIsClearedAfterALoadThatFailedAndIsNotUsedAgain() throws IOException {
        List<Counter> loadedInto = new ArrayList<>();
        List<Counter> cleared = new ArrayList<>();
        Counters failing = new Counters() {
            @Override
            public Counter load(Counter holder, Integer key) throws IOException {
                loadedInto.add(holder);
                holder.key = key;
                if (loadedInto.size() == 1) {
                    throw new IOException("half read");
                }
                holder.key = null;
                return super.load(holder, key);
            }

            @Override
            public void clear(Counter holder) {
                cleared.add(holder);
                super.clear(holder);
            }
        };
        HolderCache<Integer, Counter, IOException> cache =
                HolderCache.builder(failing).frames(1).build();

        assertThatThrownBy(() -> cache.find(1)).isInstanceOf(IOException.class);
        assertThat(cleared).hasSize(1).first().isSameAs(loadedInto.get(0));
        touch(cache, 1);

        assertThat(loadedInto).hasSize(2);
        assertThat(loadedInto.get(1)).isNotSameAs(loadedInto.get(0));
        cache.checkIntegrity();
        assertThat(failing.violations).isEmpty();
    }

    @Test
    void failureOfTheClearAfterAFailedLoadIsSuppressed() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = HolderCache.builder(new Counters() {
                    @Override
                    public Counter load(Counter holder, Integer key) throws IOException {
                        throw new IOException("load");
                    }

                    @Override
                    public void clear(Counter holder) {
                        throw new IllegalStateException("clear");
                    }
                })
                .frames(1)
                .build();

        assertThatThrownBy(() -> cache.find(1))
                .hasMessage("load")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        cache.checkIntegrity();
    }

    @Test
    void findersOfOneKeyShareOneLoadAndOneHolder() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, loading::pass);
        Worker<Counter> loader = workers.start(() -> cache.find(1));
        loading.awaitReached();
        List<Worker<Counter>> finders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            finders.add(workers.start(() -> number % 2 == 0 ? cache.find(1) : cache.findCached(1)));
        }
        finders.forEach(Worker::awaitParked);

        loading.open();

        Counter counter = loader.result();
        for (Worker<Counter> finder : finders) {
            assertThat(finder.result()).isSameAs(counter);
        }
        assertThat(counters.loads(1)).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            cache.release(counter);
        }
        assertThat(cache.stats().pinned()).isZero();
    }

    @Test
    void findersThatWaitForALoadThatFailsLoadForThemselves() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, () -> {
            loading.pass();
            counters.off(Step.LOAD, 1);
            throw new IOException("once");
        });
        Worker<Counter> loader = workers.start(() -> cache.find(1));
        loading.awaitReached();
        Worker<Counter> finder = workers.start(() -> cache.find(1));
        Worker<Counter> cachedFinder = workers.start(() -> cache.findCached(1));
        finder.awaitParked();
        cachedFinder.awaitParked();

        loading.open();

        assertThat(loader.failure()).hasMessage("once");
        Counter counter = finder.result();
        assertThat(counter.key).isEqualTo(1);
        cache.release(counter);
        Counter cached = cachedFinder.result();
        if (cached != null) {
            cache.release(cached);
        }
    }

    @Test
    void createOnAKeyInTheCacheThrowsAtOnce() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        touch(cache, 1);

        assertThatThrownBy(() -> cache.create(1, 5L))
                .isInstanceOf(KeyExistsException.class)
                .hasMessageContaining("1");

        assertThat(cache.stats().resident()).isEqualTo(1);
    }

    @Test
    void createDuringAnotherThreadsLoadThrowsAtOnce() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, loading::pass);
        Worker<Void> loader = workers.run(() -> touch(cache, 1));
        loading.awaitReached();

        assertThatThrownBy(() -> cache.create(1, 5L)).isInstanceOf(KeyExistsException.class);

        loading.open();
        loader.result();
    }

    @Test
    void createDuringTheLoadOfTheSameThreadThrowsAtOnce() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        counters.on(
                Step.LOAD,
                1,
                () -> assertThatThrownBy(() -> cache.create(1, 5L)).isInstanceOf(KeyExistsException.class));

        touch(cache, 1);
    }

    @Test
    void loadMayFindOtherKeysOfTheSameCache() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        counters.on(Step.LOAD, 1, () -> touch(cache, 2));

        touch(cache, 1);

        assertThat(counters.loads(2)).isEqualTo(1);
    }

    @Test
    void findCachedNeverLoads() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);

        assertThat(cache.findCached(1)).isNull();

        assertThat(counters.loads(1)).isZero();
    }

    @Test
    void releaseOfAnUnpinnedHolderIsAnError() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter counter = cache.find(1);
        cache.release(counter);

        assertThatThrownBy(() -> cache.release(counter)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cache.release(new Counter())).isInstanceOf(IllegalStateException.class);
        touch(cache, 2);
        assertThatThrownBy(() -> cache.release(counter))
                .as("the holder belongs to another key now, but it is not pinned")
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void holderIsClearedBetweenTwoKeysAndUsedAgain() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter first = cache.find(1);
        cache.release(first);
        AtomicInteger clears = new AtomicInteger();
        counters.on(Step.CLEAR, 1, clears::incrementAndGet);

        Counter second = cache.find(2);

        assertThat(second).isSameAs(first);
        assertThat(clears).hasValue(1);
        cache.release(second);
    }

    @Test
    void clearThatThrowsReachesTheFinderButBreaksNothing() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter broken = cache.find(1);
        cache.release(broken);
        counters.on(Step.CLEAR, 1, () -> {
            throw new IllegalStateException("clear");
        });

        assertThatThrownBy(() -> cache.find(2)).hasMessage("clear");
        assertThat(cache.findCached(1)).isNull();

        Counter other = cache.find(2);
        assertThat(other)
                .as("a holder that could not be cleared is not used again")
                .isNotSameAs(broken);
        cache.release(other);
    }
}
