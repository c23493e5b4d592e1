// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static io.clockhand.cache.CounterCaches.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clockhand.PoolExhaustedException;
import io.clockhand.cache.Counters.Step;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dirty holders: the threads that write them back, and the threads that wait for that. */
class HolderCacheCleanTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = caches.counters;

    private static Counters.Hook failing(String message) {
        return () -> {
            throw new IOException(message);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "nb-gclock", "lru"})
    void dirtyVictimIsWrittenBackWithoutACleaner(String policy) throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(1).policy(policy));
        write(cache, 1, 10);

        touch(cache, 2);

        assertThat(counters.stored(1)).isEqualTo(10);
        assertThat(cache.stats().foregroundCleans()).isEqualTo(1);
        assertThat(cache.stats().frames()).isEqualTo(1);
    }

    @Test
    void dirtyVictimThatCannotBeWrittenStaysAndTheFindFails() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        write(cache, 1, 10);
        counters.on(Step.CLEAN, 1, failing("disk"));

        assertThatThrownBy(() -> cache.find(2)).hasMessage("disk");

        Counter counter = cache.findCached(1);
        assertThat(counter.value).isEqualTo(10);
        assertThat(counter.dirty).isTrue();
        counters.off(Step.CLEAN, 1);
        cache.release(counter);
        touch(cache, 2);
        assertThat(counters.stored(1)).isEqualTo(10);
    }

    private static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void dirtyVictimThatCannotBeWrittenDoesNotStandInTheWayOfTheNextFind(String policy) throws IOException {
        int size = 8;
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(size).policy(policy));
        AtomicInteger bad = new AtomicInteger(-1);
        for (int i = 0; i < size; i++) {
            int key = i;
            write(cache, key, 10);
            counters.on(Step.CLEAN, key, () -> {
                bad.compareAndSet(-1, key); // whichever is the first victim
                if (bad.get() == key) {
                    throw new IOException("disk");
                }
            });
        }

        assertThatThrownBy(() -> cache.find(100)).hasMessage("disk");
        touch(cache, 101);
        touch(cache, 102);

        for (int key = 0; key < size; key++) {
            counters.off(Step.CLEAN, key);
        }
    }

    @Test
    void dirtyVictimGoesToTheCleanerAndACleanOneLeaves() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        AtomicInteger nudges = new AtomicInteger();
        cache.useCleaner(nudges::incrementAndGet);
        write(cache, 1, 10);
        touch(cache, 2, 3);

        assertThat(nudges).hasValue(1);
        assertThat(counters.stored(1)).as("not yet").isZero();
        assertThat(cache.stats().dirtyVictims()).isEqualTo(1);
        assertThat(cache.stats().queued()).isEqualTo(1);
        assertThat(cache.cleanQueued(10)).isFalse();

        assertThat(cache.stats().queued()).isZero();
        assertThat(cache.stats().backgroundCleans()).isEqualTo(1);
        assertThat(cache.stats().foregroundCleans()).isZero();
        assertThat(counters.stored(1)).isEqualTo(10);
        touch(cache, 4, 5);
        assertThat(cache.findCached(1)).as("clean now, so it could leave").isNull();
    }

    /** Three frames of weight 1; the third find of key 1 leaves it with weight 3. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stepsOfTheHandAreCountedWhileCollecting(boolean collecting) throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(3);
        touch(cache, 1, 1, 1, 2, 3);
        assertThat(cache.stats().framesScanned()).as("free frames").isZero();
        cache.collectStats(collecting);

        touch(cache, 4);
        assertThat(cache.stats().framesScanned()).isEqualTo(collecting ? 2 : 0);
        assertThat(cache.stats().evictions()).isEqualTo(collecting ? 1 : 0);
        touch(cache, 5, 6);
        assertThat(cache.stats().framesScanned()).isEqualTo(collecting ? 5 : 0);
    }

    @Test
    void writeThatFailsInTheCleanerLeavesTheHolderDirtyAndItIsQueuedAgain() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        AtomicInteger nudges = new AtomicInteger();
        cache.useCleaner(nudges::incrementAndGet);
        write(cache, 1, 10);
        touch(cache, 2, 3);
        counters.on(Step.CLEAN, 1, failing("disk"));

        assertThatThrownBy(() -> cache.cleanQueued(1)).hasMessage("disk");

        counters.off(Step.CLEAN, 1);
        touch(cache, 2, 3, 4);
        assertThat(nudges).hasValueGreaterThan(1);
        cache.cleanQueued(10);
        assertThat(counters.stored(1)).isEqualTo(10);
    }

    @Test
    void finderCleansItselfWhenTheCleanerDoesNothing() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(3);
        cache.useCleaner(() -> {});
        for (int key = 0; key < 20; key++) {
            write(cache, key, key + 100);
        }

        cache.cleanAll();

        for (int key = 0; key < 20; key++) {
            assertThat(counters.stored(key)).isEqualTo(key + 100);
        }
        assertThat(cache.stats().frames()).isEqualTo(3);
    }

    @Test
    void cacheGrowsInsteadOfCleaningWhenFindsMayNotClean() throws IOException {
        HolderCache<Integer, Counter, IOException> cache =
                caches.build(caches.builder(2).tuning(t -> t.foregroundCleaning(false)));
        cache.useCleaner(() -> {});
        for (int key = 0; key < 5; key++) {
            write(cache, key, key + 100);
        }
        assertThat(counters.store).isEmpty();
        assertThat(cache.stats().resident()).isEqualTo(5);

        while (cache.cleanQueued(1)) {
            assertThat(counters.store).isNotEmpty();
        }
        cache.cleanAll();
        for (int key = 10; key < 40; key++) {
            touch(cache, key);
        }

        assertThat(cache.stats().frames()).isEqualTo(2);
    }

    @Test
    void cacheGrowsWhileTheCleanerFails() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = withACleanerThatFails(2);
        write(cache, 1, 101);

        Worker<Counter> finder = workers.start(() -> cache.find(2));
        cache.release(finder.result());

        assertThat(cache.stats().frames()).isEqualTo(2);
        assertThat(cache.findCached(1)).as("the dirty holder").isNotNull();
        endFailures(cache);
    }

    @Test
    void findThatMayNotGrowEndsWhileTheCleanerFails() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = withACleanerThatFails(1);
        write(cache, 1, 101);

        Worker<PoolExhaustedException> finder =
                workers.start(() -> catchThrowableOfType(PoolExhaustedException.class, () -> cache.find(2)));
        assertThat(finder.result()).hasMessageContaining("no other frame became free");

        assertThat(cache.findCached(1)).as("the dirty holder").isNotNull();
        endFailures(cache);
        touch(cache, 2);
    }

    private HolderCache<Integer, Counter, IOException> withACleanerThatFails(int most) {
        HolderCache<Integer, Counter, IOException> cache = caches.build(caches.builder(1)
                .maxFrames(most)
                .exhaustedAfter(Duration.ofMillis(20))
                .tuning(t -> t.foregroundCleaning(false)));
        counters.onEvery(Step.CLEAN, () -> {
            throw new IOException("No space left on device");
        });
        cache.useCleaner(() -> {
            try {
                cache.cleanQueued(1);
            } catch (IOException e) {
                // tried again when it is called again
            }
        });
        return cache;
    }

    private void endFailures(HolderCache<Integer, Counter, IOException> cache) throws IOException {
        counters.onEvery(Step.CLEAN, () -> {});
        Counter dirty = cache.findCached(1);
        cache.release(dirty);
        cache.release(dirty); // the pin of the test
        cache.cleanAll();
        assertThat(counters.stored(1)).isEqualTo(101);
    }

    @Test
    void cacheGrowsInsteadOfCleaningWhenTheCallerOfAFindMayNotClean() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        cache.useCleaner(() -> {});
        counters.mayClean = false;
        for (int key = 0; key < 5; key++) {
            write(cache, key, key + 100);
        }
        assertThat(counters.store).isEmpty();
        assertThat(cache.stats().resident()).isEqualTo(5);

        counters.mayClean = true;
        cache.cleanAll();
        for (int key = 10; key < 40; key++) {
            touch(cache, key);
        }

        assertThat(counters.store).containsOnlyKeys(0, 1, 2, 3, 4);
        assertThat(cache.stats().frames()).isEqualTo(2);
    }

    @Test
    void dirtyVictimIsWrittenBackByAnyCallerWithoutACleaner() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        counters.mayClean = false;
        write(cache, 1, 10);

        touch(cache, 2);

        assertThat(counters.stored(1)).isEqualTo(10);
    }

    /** The tentative claim of a find must be invisible: a finder of the victim waits, and gets the same holder. */
    @Test
    void finderOfATentativelyClaimedHolderWaitsAndGetsIt() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter counter = cache.find(1);
        counter.set(10);
        cache.release(counter);
        Gate asking = new Gate();
        counters.on(Step.CLEAN, 1, () -> {
            asking.pass();
            throw new IOException("stays");
        });
        Worker<Counter> evictor = workers.start(() -> cache.find(2));
        asking.awaitReached();
        Worker<Counter> finder = workers.start(() -> cache.find(1));
        Worker<Counter> cachedFinder = workers.start(() -> cache.findCached(1));
        finder.awaitParked();
        cachedFinder.awaitParked();

        asking.open();

        assertThat(evictor.failure()).hasMessage("stays");
        assertThat(finder.result()).isSameAs(counter);
        assertThat(cachedFinder.result()).isSameAs(counter);
        assertThat(counters.loads(1)).isEqualTo(1);
        cache.release(counter);
        cache.release(counter);
        counters.off(Step.CLEAN, 1);
    }

    @Test
    void cleanAllWritesEveryDirtyHolderEvenAPinnedOne() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        write(cache, 1, 10);
        Counter pinned = cache.find(2);
        pinned.set(20);

        cache.cleanAll();

        assertThat(counters.store).containsEntry(1, 10L).containsEntry(2, 20L);
        cache.release(pinned);
    }

    @Test
    void cleanMatchingLeavesTheOthersDirty() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        write(cache, 1, 10);
        write(cache, 2, 20);

        cache.cleanMatching(key -> key == 2);

        assertThat(counters.store).containsOnlyKeys(2);
    }

    @Test
    void cleanAllWaitsForAWriteBackUnderWay() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        write(cache, 1, 10);
        Gate writing = new Gate();
        counters.on(Step.CLEAN, 1, writing::pass);
        Worker<Void> cleaner = workers.run(cache::cleanAll);
        writing.awaitReached();
        Worker<Void> checkpoint = workers.run(cache::cleanAll);
        checkpoint.awaitParked();
        assertThat(counters.store).isEmpty();

        writing.open();

        checkpoint.result();
        assertThat(counters.stored(1)).isEqualTo(10);
        cleaner.result();
    }

    @Test
    void cleanAllWaitsForATentativeClaim() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        write(cache, 1, 10);
        Gate writing = new Gate();
        counters.on(Step.CLEAN, 1, writing::pass);
        Worker<Void> evictor = workers.run(() -> touch(cache, 2));
        writing.awaitReached();
        Worker<Void> checkpoint = workers.run(cache::cleanAll);
        checkpoint.awaitParked();

        writing.open();

        checkpoint.result();
        assertThat(counters.stored(1)).isEqualTo(10);
        evictor.result();
    }

    @Test
    void writeThatFailsInCleanAllLeavesTheHolderDirtyAndUnpinned() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        write(cache, 1, 10);
        counters.on(Step.CLEAN, 1, failing("disk"));

        assertThatThrownBy(cache::cleanAll).hasMessage("disk");

        assertThat(cache.stats().pinned()).isZero();
        counters.off(Step.CLEAN, 1);
        cache.cleanAll();
        assertThat(counters.stored(1)).isEqualTo(10);
    }

    @Test
    void changeDuringAWriteBackIsNotLost() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter counter = cache.find(1);
        counter.set(10);
        AtomicInteger writes = new AtomicInteger();
        counters.on(Step.CLEAN, 1, () -> {
            if (writes.incrementAndGet() == 1) {
                workers.run(() -> {
                            Counter same = cache.find(1);
                            same.set(11);
                            cache.release(same);
                        })
                        .result();
            }
        });
        cache.cleanAll();
        cache.release(counter);

        touch(cache, 2);

        assertThat(counters.stored(1)).isEqualTo(11);
    }
}
