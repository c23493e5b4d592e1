// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.testkit.IntegrityChecks;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The test kit's checks after each test. */
class IntegrityChecksTest {
    private final IntegrityChecks checks = new IntegrityChecks();

    private HolderCache<Integer, Counter, IOException> cache() {
        return checks.watch(HolderCache.builder(new Counters()).frames(3).build());
    }

    private BufferPool pool() {
        return checks.watch(BufferPool.builder().pageBytes(512).frames(3).build());
    }

    @Test
    void intactPoolsAndCachesAreClosed() throws Exception {
        MemoryPageStore store = new MemoryPageStore("memory", 512);
        pool().open(0, store);
        HolderCache<Integer, Counter, IOException> cache = cache();
        CounterCaches.touch(cache, 1, 2, 3, 4);

        checks.afterEach(null);

        assertThatThrownBy(store::force).hasMessageContaining("memory is closed");
        assertThatThrownBy(() -> cache.find(1)).isInstanceOf(IllegalStateException.class);
        checks.afterEach(null); // nothing is watched any more
    }

    @Test
    void damageIsNamed() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = cache();
        Counter counter = cache.find(1);
        counter.key = 2;
        cache.release(counter);

        assertThatThrownBy(() -> checks.afterEach(null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has a holder with another key");
    }

    @Test
    void forgottenPinIsNamed() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = cache();
        cache.find(17);

        assertThatThrownBy(() -> checks.afterEach(null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("17");
    }

    @Test
    void everyFailureIsReportedAndEverythingElseIsClosed() throws Exception {
        MemoryPageStore store = new MemoryPageStore("memory", 512);
        pool().open(0, store);
        cache().find(1);
        cache().find(2);

        assertThatThrownBy(() -> checks.afterEach(null))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThatThrownBy(store::force).hasMessageContaining("memory is closed");
    }
}
