// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The soft maximum: the cache grows when everything is kept, and shrinks back. */
@ParameterizedClass
@ValueSource(strings = {"nb-gclock3", "nb-gclock", "locked:lru"})
class CapacityTest extends ManagerTest {
    @Parameter
    String policy;

    @Override
    String policy() {
        return policy;
    }

    @Test
    void aCacheOfOneKeepsTenAndShrinksBackOnLaterMisses() throws Exception {
        ClockhandCacheManager cache = cache(1);
        List<FakeObject> kept = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            kept.add(find(cache, i));
        }
        assertThat(cache.stats().resident()).isEqualTo(10);
        kept.forEach(cache::release);

        for (int i = 0; i < 20; i++) {
            touch(cache, 100 + i);
        }

        assertThat(cache.stats().resident()).isEqualTo(1);
        assertThat(cache.stats().frames()).isEqualTo(1);
        assertThat(objects.liveCount()).isEqualTo(1);
    }

    @Test
    void tenThreadsWithTwoObjectsEachShareACacheOfOne() throws Exception {
        ClockhandCacheManager cache = cache(1);
        List<Running<Void>> running = new ArrayList<>();
        for (int t = 0; t < 10; t++) {
            int thread = t;
            running.add(start(() -> {
                for (int i = 0; i < 200; i++) {
                    FakeObject own = find(cache, thread);
                    FakeObject shared = find(cache, 100 + i % 3);
                    cache.release(own);
                    cache.release(shared);
                }
                return null;
            }));
        }
        for (Running<Void> thread : running) {
            thread.result();
        }
        for (int i = 0; i < 30; i++) {
            touch(cache, 1_000 + i);
        }
        assertThat(cache.stats().resident()).isEqualTo(1);
    }

    @Test
    void aThousandKeptObjectsAreNoTrouble() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 100, objects);
        List<FakeObject> kept = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            kept.add(find(cache, i));
        }
        kept.forEach(object -> object.dirty = true);
        cache.cleanAll();
        assertThat(objects.cleans).hasValue(1_000);
        kept.forEach(cache::release);
        for (int i = 0; i < 400; i++) {
            touch(cache, "later " + i);
        }
        assertThat(cache.stats().resident()).isEqualTo(100);
    }

    @Test
    void sizesAreTakenAsDerbyGivesThem() throws Exception {
        for (int[] sizes : new int[][] {{0, 10}, {100, 10}, {0, 0}, {0, 1}, {-1, -1}}) {
            CacheManager cache = cache("PageCache", sizes[1], objects);
            for (int i = 0; i < 30; i++) {
                cache.release(cache.find(sizes[0] + "/" + sizes[1] + "/" + i));
            }
            cache.shutdown();
            assertThat(objects.liveCount()).isZero();
        }
    }

    /** Derby allows derby.storage.pageCacheSize up to the greatest int, as another word for unlimited. */
    @Test
    void aHugeMaximumIsNotAllocatedInAdvance() throws Exception {
        ClockhandCacheManager cache = cache(Integer.MAX_VALUE);
        for (int i = 0; i < 100; i++) {
            touch(cache, i);
        }
        assertThat(cache.stats().resident()).isEqualTo(100);
    }
}
