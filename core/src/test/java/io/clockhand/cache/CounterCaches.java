// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Patience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Makes caches of counters and, after each test, checks their integrity and that every promise was kept. */
final class CounterCaches implements AfterEachCallback {
    final Counters counters = new Counters();
    private final List<HolderCache<Integer, Counter, IOException>> caches = new ArrayList<>();

    HolderCacheBuilder<Integer, Counter, IOException> builder(int capacity) {
        return HolderCache.builder(counters)
                .frames(capacity)
                .exhaustedAfter(Patience.PATIENCE)
                .waitTimeout(Patience.PATIENCE);
    }

    HolderCache<Integer, Counter, IOException> build(HolderCacheBuilder<Integer, Counter, IOException> builder) {
        HolderCache<Integer, Counter, IOException> cache = builder.build();
        cache.collectStats(true);
        caches.add(cache);
        return cache;
    }

    HolderCache<Integer, Counter, IOException> cache(int capacity) {
        return build(builder(capacity));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        for (HolderCache<Integer, Counter, IOException> cache : caches) {
            cache.checkIntegrity();
        }
        assertThat(counters.violations).isEmpty();
    }

    /** Finds and releases. */
    static void touch(HolderCache<Integer, Counter, IOException> cache, int... keys) throws IOException {
        for (int key : keys) {
            cache.release(cache.find(key));
        }
    }

    /** Makes the holder of a key dirty, with a new value, and releases it. */
    static void write(HolderCache<Integer, Counter, IOException> cache, int key, long value) throws IOException {
        Counter counter = cache.find(key);
        counter.set(value);
        cache.release(counter);
    }
}
