// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.cache.HolderCache;
import io.clockhand.page.BufferPool;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks the integrity of pools and caches after each test, then closes them. The test fails if a check fails, or if
 * a page or holder is still pinned.
 *
 * <pre>{@code
 * @RegisterExtension
 * final IntegrityChecks checks = new IntegrityChecks();
 *
 * @Test
 * void treeFindsItsKeys() throws IOException {
 *     BufferPool pool = checks.watch(BufferPool.builder().pageBytes(4096).frames(100).build());
 *     …
 * }
 * }</pre>
 *
 * <p>The test must not close what it watches, and its threads must have ended when it returns. Not thread-safe.
 */
public final class IntegrityChecks implements AfterEachCallback {
    private record Watched(Runnable check, AutoCloseable resource) {}

    private final Deque<Watched> watched = new ArrayDeque<>();

    /** Creates an extension that watches nothing yet. */
    public IntegrityChecks() {}

    /**
     * Watches a pool until the end of the test.
     *
     * @param pool the pool
     * @return the pool
     */
    public BufferPool watch(BufferPool pool) {
        watched.push(new Watched(pool::checkIntegrity, pool));
        return pool;
    }

    /**
     * Watches a cache until the end of the test.
     *
     * @param cache the cache
     * @param <K> the keys
     * @param <V> the holders
     * @param <X> the checked exception of the lifecycle
     * @return the cache
     */
    public <K, V, X extends Exception> HolderCache<K, V, X> watch(HolderCache<K, V, X> cache) {
        watched.push(new Watched(cache::checkIntegrity, cache));
        return cache;
    }

    /** Checks and closes everything, the latest first; throws the first failure, with the others suppressed. */
    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Exception failure = null;
        while (!watched.isEmpty()) {
            Watched next = watched.pop();
            failure = run(next.check::run, failure);
            failure = run(next.resource::close, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static Exception run(Step step, Exception earlier) {
        try {
            step.run();
            return earlier;
        } catch (Exception e) {
            if (earlier == null) {
                return e;
            }
            earlier.addSuppressed(e);
            return earlier;
        }
    }
}
