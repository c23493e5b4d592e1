// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import java.io.IOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cache that has failed: each call but a release says so, with the error as its cause. */
class FailedCacheTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    private final OutOfMemoryError error = new OutOfMemoryError("in the middle of a step");

    private void expectFailed(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(PoolFailedException.class)
                .hasMessageContaining("has failed")
                .hasCause(error);
    }

    @Test
    void everyCallButAReleaseSaysThatTheCacheHasFailed() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(8);
        Counter pinned = cache.find(1);
        cache.fail(error);

        expectFailed(() -> cache.find(1));
        expectFailed(() -> cache.find(2));
        expectFailed(() -> cache.findCached(1));
        expectFailed(() -> cache.create(3, null));
        expectFailed(() -> cache.remove(pinned));
        expectFailed(cache::cleanAll);
        expectFailed(() -> cache.discard(key -> true));
        expectFailed(cache::evictClean);
        expectFailed(cache::values);
        cache.release(pinned);
        assertThat(cache.stats().pinned()).isZero();
        expectFailed(cache::close);
    }
}
