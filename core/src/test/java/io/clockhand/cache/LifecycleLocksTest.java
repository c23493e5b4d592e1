// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each call of the lifecycle waits until another thread has found, created, changed, written, removed and discarded
 * other holders, for which the cache must grow. If a lock of the cache were held during the call, neither would end.
 */
class LifecycleLocksTest {
    private static final int CAPACITY = 2;
    private static final int OTHER_KEYS = 1_000;

    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Set<Step> called = ConcurrentHashMap.newKeySet();
    private final AtomicInteger otherKey = new AtomicInteger(OTHER_KEYS);
    private final Thread owner = Thread.currentThread();
    private HolderCache<Integer, Counter, IOException> cache;

    /** The policy has a lock, too. */
    @Test
    void otherThreadsUseTheCacheWhileTheLifecycleIsCalled() throws IOException {
        cache = caches.build(caches.builder(CAPACITY).policy("locked:lru"));
        Set<Step> steps = EnumSet.of(Step.LOAD, Step.CREATE, Step.IS_DIRTY, Step.CLEAN, Step.CLEAR);
        for (Step step : steps) {
            caches.counters.onEvery(step, () -> letAnotherThreadIn(step));
        }

        CounterCaches.write(cache, 1, 1);
        cache.cleanAll();
        cache.release(cache.create(2, 2L));
        cache.evictClean(); // 1
        cache.remove(cache.find(2));
        CounterCaches.write(cache, 3, 3);
        cache.discard(key -> key == 3);
        growAndShrink();

        assertThat(called).isEqualTo(steps);
    }

    /** Misses write what lies in the frames that were added, and give these frames up. */
    private void growAndShrink() throws IOException {
        List<Counter> pinned = new ArrayList<>();
        for (int key = 10; key < 10 + 3 * CAPACITY; key++) {
            Counter counter = cache.find(key);
            counter.set(key);
            pinned.add(counter);
        }
        pinned.forEach(cache::release);
        CounterCaches.touch(cache, 20, 21, 22);
    }

    private void letAnotherThreadIn(Step step) {
        if (!Thread.currentThread().equals(owner)) {
            return;
        }
        called.add(step);
        try {
            workers.run(this::useOtherHolders).result();
        } catch (AssertionError e) {
            throw new AssertionError("another thread cannot use the cache during " + step, e);
        }
    }

    private void useOtherHolders() throws IOException {
        int first = otherKey.getAndAdd(2 * CAPACITY + 2);
        List<Counter> pinned = new ArrayList<>();
        for (int key = first; key < first + 2 * CAPACITY; key++) {
            pinned.add(cache.find(key));
        }
        int created = first + 2 * CAPACITY;
        cache.release(cache.create(created, 1L));
        cache.cleanMatching(key -> key == created);
        pinned.get(0).set(first);
        pinned.forEach(cache::release);
        cache.remove(cache.find(created + 1));
        cache.discard(key -> key >= first && key <= created);
    }
}
