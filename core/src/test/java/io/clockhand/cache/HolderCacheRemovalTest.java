// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static io.clockhand.cache.CounterCaches.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How holders leave other than by eviction: remove, evictClean, discard, close. */
class HolderCacheRemovalTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = caches.counters;

    @Test
    void removedHolderIsCleanedClearedAndGone() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter counter = cache.find(1);
        counter.set(10);

        cache.remove(counter);

        assertThat(counters.stored(1)).isEqualTo(10);
        assertThat(cache.findCached(1)).isNull();
        assertThat(counter.key).isNull();
    }

    @Test
    void removeWaitsForTheLastPinAndUntilThenOthersFindTheHolder() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter counter = cache.find(1);
        cache.find(1);
        Worker<Void> remover = workers.run(() -> cache.remove(counter));
        remover.awaitParked();
        assertThat(cache.findCached(1)).isSameAs(counter);
        cache.release(counter);
        assertThat(remover.isDone()).isFalse();

        cache.release(counter);

        remover.result();
        assertThat(cache.findCached(1)).isNull();
    }

    @Test
    void removeKeepsTheHolderInTheCacheWhenCleaningFails() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter counter = cache.find(1);
        counter.set(10);
        counters.on(Step.CLEAN, 1, () -> {
            throw new IOException("disk");
        });

        assertThatThrownBy(() -> cache.remove(counter)).hasMessage("disk");

        counters.off(Step.CLEAN, 1);
        assertThatCode(cache::checkIntegrity)
                .as("the cache after the failed removal")
                .doesNotThrowAnyException();
        assertThat(cache.stats().pinned()).isZero();
        assertThat(cache.findCached(1)).isSameAs(counter);
        cache.release(counter);
        cache.cleanAll();
        assertThat(counters.stored(1))
                .as("the value that could not be written before")
                .isEqualTo(10);
    }

    @Test
    void finderDuringARemoveWaitsAndLoadsAnew() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter counter = cache.find(1);
        counter.set(10);
        Gate cleaning = new Gate();
        counters.on(Step.CLEAN, 1, cleaning::pass);
        Worker<Void> remover = workers.run(() -> cache.remove(counter));
        cleaning.awaitReached();
        Worker<Counter> finder = workers.start(() -> cache.find(1));
        finder.awaitParked();

        cleaning.open();

        remover.result();
        Counter again = finder.result();
        assertThat(again.value).isEqualTo(10);
        assertThat(counters.loads(1)).isEqualTo(2);
        cache.release(again);
    }

    @Test
    void removeOfAnUnpinnedHolderIsAnError() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter counter = cache.find(1);
        cache.release(counter);

        assertThatThrownBy(() -> cache.remove(counter)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void evictCleanDropsHoldersThatAreNeitherPinnedNorDirty() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        Counter pinned = cache.find(1);
        write(cache, 2, 20);
        touch(cache, 3);

        cache.evictClean();

        assertThat(cache.values()).extracting(c -> c.key).containsExactlyInAnyOrder(1, 2);
        cache.release(pinned);
    }

    @Test
    void evictCleanSurvivesAHolderThatCannotSayWhetherItIsDirty() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        touch(cache, 1);
        counters.on(Step.IS_DIRTY, 1, () -> {
            throw new IllegalStateException("monitor");
        });

        assertThatThrownBy(cache::evictClean).hasMessage("monitor");

        counters.off(Step.IS_DIRTY, 1);
        touch(cache, 1);
        assertThat(counters.loads(1)).isEqualTo(1);
    }

    @Test
    void discardDropsMatchingHoldersWithoutWritingThem() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        write(cache, 1, 10);
        write(cache, 2, 20);

        assertThat(cache.discard(key -> key == 1)).isTrue();

        assertThat(counters.store).isEmpty();
        assertThat(cache.values()).extracting(c -> c.key).containsExactly(2);
        Counter again = cache.find(1);
        assertThat(again.value).isZero();
        cache.release(again);
    }

    @Test
    void discardDropsAHolderThatIsQueuedForCleaning() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        cache.useCleaner(() -> {});
        write(cache, 1, 10);
        touch(cache, 2, 3);

        assertThat(cache.discard(key -> key == 1)).isTrue();

        touch(cache, 4);
        assertThat(cache.cleanQueued(10)).isFalse();
        assertThat(counters.store).isEmpty();
    }

    @Test
    void discardLeavesPinnedHoldersAndReportsIt() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter pinned = cache.find(1);

        assertThat(cache.discard(key -> true)).isFalse();

        assertThat(cache.findCached(1)).isSameAs(pinned);
        cache.release(pinned);
        cache.release(pinned);
        assertThat(cache.discard(key -> true)).isTrue();
    }

    @Test
    void discardDoesNotWaitForALoadOrAWriteBackAndSaysThatTheHolderStays() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Gate loading = new Gate();
        counters.on(Step.LOAD, 1, loading::pass);
        Worker<Void> loader = workers.run(() -> write(cache, 1, 10));
        loading.awaitReached();
        assertThat(cache.discard(key -> key == 1)).isFalse();
        loading.open();
        loader.result();
        Gate writing = new Gate();
        counters.on(Step.CLEAN, 1, writing::pass);
        Worker<Void> cleaner = workers.run(cache::cleanAll);
        writing.awaitReached();

        assertThat(cache.discard(key -> key == 1)).isFalse();

        writing.open();
        cleaner.result();
        assertThat(counters.stored(1)).isEqualTo(10);
    }

    @Test
    void discardFromInsideAFailingCleanDropsTheOthersAndReturnsFalse() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        write(cache, 1, 10);
        write(cache, 2, 20);
        AtomicReference<Boolean> all = new AtomicReference<>();
        AtomicBoolean dropped = new AtomicBoolean();
        counters.on(Step.CLEAN, 1, () -> {
            all.set(cache.discard(key -> true));
            dropped.set(cache.findCached(2) == null);
            throw new IOException("container dropped");
        });
        Counter counter = cache.find(1);

        assertThatThrownBy(() -> cache.remove(counter)).hasMessage("container dropped");

        assertThat(all.get()).isFalse();
        assertThat(dropped).isTrue();
        counters.off(Step.CLEAN, 1);
    }

    @Test
    void valuesListsLoadedHoldersOnlyAndPinsNone() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        touch(cache, 1, 2);
        Gate loading = new Gate();
        counters.on(Step.LOAD, 3, loading::pass);
        Worker<Void> loader = workers.run(() -> touch(cache, 3));
        loading.awaitReached();

        assertThat(cache.values()).extracting(c -> c.key).containsExactlyInAnyOrder(1, 2);

        loading.open();
        loader.result();
        assertThat(cache.stats().pinned()).isZero();
    }

    @Test
    void closeWritesEverythingBackAndDropsIt() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        write(cache, 1, 10);

        cache.close();

        assertThat(counters.stored(1)).isEqualTo(10);
        assertThat(cache.stats().resident()).isZero();
        assertThatThrownBy(() -> cache.find(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cache.create(1, 1L)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closeWithPinnedHoldersNamesOne() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        Counter pinned = cache.find(17);

        assertThatThrownBy(cache::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 of its holders")
                .hasMessageContaining("key 17");

        cache.release(pinned);
        cache.close();
    }

    @Test
    void closeThatCannotWriteLeavesTheDirtyHolder() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        write(cache, 1, 10);
        counters.on(Step.CLEAN, 1, () -> {
            throw new IOException("disk");
        });
        assertThatThrownBy(cache::close).hasMessage("disk");
        counters.off(Step.CLEAN, 1);

        cache.close();

        assertThat(counters.stored(1)).isEqualTo(10);
    }
}
