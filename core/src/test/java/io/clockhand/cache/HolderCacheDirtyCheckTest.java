// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static io.clockhand.cache.CounterCaches.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Threads that have claimed a holder only to see whether it is dirty, and those who meet them. */
class HolderCacheDirtyCheckTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = caches.counters;

    @Test
    void evictCleanWaitsForADirtyCheck() throws Exception {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        touch(cache, 1);
        Gate check = new Gate();
        AtomicBoolean first = new AtomicBoolean(true);
        counters.on(Step.IS_DIRTY, 1, () -> {
            if (first.getAndSet(false)) {
                check.pass();
            }
        });
        Worker<Void> cleaning = workers.run(cache::cleanAll);
        check.awaitReached();

        Worker<Void> ageing = workers.run(cache::evictClean);
        ageing.awaitParked();
        check.open();
        cleaning.result();
        ageing.result();

        assertThat(cache.values()).isEmpty();
    }

    @Test
    void discardDropsAnUnpinnedHolderDuringConcurrentDirtyChecks() throws Exception {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        AtomicBoolean ended = new AtomicBoolean();
        Worker<Void> checking = workers.run(() -> {
            while (!ended.get()) {
                cache.cleanAll();
            }
        });

        int stayed = 0;
        for (int i = 0; i < 20_000; i++) {
            touch(cache, 1);
            stayed += cache.discard(key -> key == 1) ? 0 : 1;
        }
        ended.set(true);
        checking.result();

        assertThat(stayed).isZero();
    }

    @Test
    void queuedHolderThatIsCleanWhenTheCleanerComesCanBeAVictimAgain() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        cache.useCleaner(() -> {});
        write(cache, 1, 10);
        touch(cache, 2, 3);
        assertThat(cache.stats().dirtyVictims()).isEqualTo(1);
        Counter counter = cache.findCached(1);
        counter.dirty = false;
        cache.release(counter);

        cache.cleanQueued(10);
        touch(cache, 4, 5, 6, 7, 8, 9);

        assertThat(cache.findCached(1)).isNull();
    }

    @Test
    void queuedHolderThatIsUsedWhenItIsItsTurnCanBeAVictimLater() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        List<Counter> used = new ArrayList<>();
        write(cache, 1, 10);
        cache.useCleaner(() -> used.add(cache.findCached(1)));

        touch(cache, 2);
        cache.useCleaner(() -> {});
        used.forEach(cache::release);
        touch(cache, 3, 4, 5, 6, 7, 8, 9);

        assertThat(used).hasSize(1);
        assertThat(cache.findCached(1)).isNull();
        assertThat(counters.stored(1)).isEqualTo(10);
    }

    @Test
    void cleanerThatNeverComesCostsATenthOfTheCacheAtMost() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(100);
        cache.useCleaner(() -> {});
        for (int key = 0; key < 90; key++) {
            write(cache, key, key);
        }
        for (int key = 100; key < 110; key++) {
            touch(cache, key);
        }

        for (int key = 200; key < 280; key++) {
            touch(cache, key);
        }

        assertThat(cache.stats().dirtyVictims()).isLessThanOrEqualTo(10);
        assertThat(cache.stats().foregroundCleans()).isGreaterThanOrEqualTo(60);
        assertThat(cache.stats().frames()).isEqualTo(100);
    }
}
