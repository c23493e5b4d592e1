// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static io.clockhand.cache.CounterCaches.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More dirty holders than the write-back queue has places for, since the cache has grown and the cleaner lags. */
@Timeout(60)
class LongQueueTest {
    private static final int FRAMES = 4;
    private static final int HOLDERS = 300;

    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    private HolderCache<Integer, Counter, IOException> cache;

    @BeforeEach
    void leaveManyDirtyHoldersToACleanerThatDoesNothing() throws IOException {
        cache = caches.build(caches.builder(FRAMES).maxFrames(HOLDERS).tuning(t -> t.foregroundCleaning(false)));
        cache.useCleaner(() -> {});
        for (int key = 0; key < HOLDERS; key++) {
            write(cache, key, key + 1);
        }
    }

    @Test
    void cacheGrowsWhileTheCleanerLags() {
        assertThat(caches.counters.store).isEmpty();
        assertThat(cache.stats().resident()).isEqualTo(HOLDERS);
    }

    @Test
    void cleanerWritesThoseThatFoundNoPlace() throws IOException {
        while (cache.cleanQueued(8)) {
            assertThat(caches.counters.store).isNotEmpty();
        }

        assertThat(cache.stats().queued()).isZero();
        assertThat(caches.counters.store).hasSizeGreaterThan(HOLDERS / 2);
        cache.cleanAll();
        for (int key = HOLDERS; key < 3 * HOLDERS; key++) {
            touch(cache, key);
        }
        assertThat(cache.stats().frames()).isEqualTo(FRAMES);
        expectAllStored();
    }

    @Test
    void findsWriteThoseThatFoundNoPlaceWhenThereIsNoCleanerAnyMore() throws IOException {
        cache.useCleaner(null);
        List<Counter> pinned = new ArrayList<>();
        for (int key = HOLDERS; key < 2 * HOLDERS; key++) {
            pinned.add(cache.find(key));
        }

        expectAllStored();
        pinned.forEach(cache::release);
    }

    private void expectAllStored() {
        for (int key = 0; key < HOLDERS; key++) {
            assertThat(caches.counters.stored(key)).as("key %d", key).isEqualTo(key + 1);
        }
    }
}
