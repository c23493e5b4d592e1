// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.clockhand.derby.ClockhandCacheFactory;
import io.clockhand.derby.ClockhandDerby;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.store.raw.PageKey;
import org.apache.derby.impl.services.cache.ConcurrentCacheFactory;
import org.apache.derby.shared.common.error.StandardException;

/**
 * A contender: a cache of {@link Content}s by key.
 *
 * <p>Clockhand's cache and Derby's are called through Derby's {@link CacheManager}: find, then release. The others have
 * no pins, so they may evict a content that is in use; they show the cost of a cache that does less.
 */
abstract class Peer {
    /** {@return the content of a key, loaded if it is not resident; it is released before the method returns} */
    abstract Object use(PageKey key) throws StandardException;

    /**
     * Makes a cache.
     *
     * @param name as in the {@code cache} parameter of the benchmarks
     * @param capacity contents
     */
    static Peer of(String name, int capacity) {
        return switch (name) {
            case "clockhand-nb-gclock3" -> clockhand("nb-gclock3", capacity);
            case "clockhand-nb-gclock3-advising" -> {
                System.setProperty("clockhand.derby.advises", "true");
                yield clockhand("nb-gclock3", capacity);
            }
            case "clockhand-nb-gclock" -> clockhand("nb-gclock", capacity);
            case "clockhand-lru-locked" -> clockhand("locked:lru", capacity);
            case "derby" -> new Managed(new ConcurrentCacheFactory(), capacity);
            case "caffeine" -> new CaffeineCache(capacity);
            case "synchronized-lru" -> new SynchronizedLru(capacity);
            default -> throw new IllegalArgumentException("no contender " + name);
        };
    }

    private static Peer clockhand(String policy, int capacity) {
        System.setProperty("clockhand.derby.policy", policy);
        Peer peer = new Managed(new ClockhandCacheFactory(), capacity);
        if (ClockhandDerby.caches().stream().noneMatch(cache -> cache.policy().equals(policy))) {
            throw new IllegalStateException(policy + " is not in force");
        }
        return peer;
    }

    private static final class Managed extends Peer {
        private final CacheManager cache;

        Managed(CacheFactory factory, int capacity) {
            cache = factory.newCacheManager(manager -> new Content(), "Contents", capacity, capacity);
        }

        @Override
        Object use(PageKey key) throws StandardException {
            Cacheable content = cache.find(key);
            cache.release(content);
            return content;
        }
    }

    private static final class CaffeineCache extends Peer {
        private final Cache<PageKey, Cacheable> cache;

        CaffeineCache(int capacity) {
            cache = Caffeine.newBuilder()
                    .maximumSize(capacity)
                    .initialCapacity(capacity)
                    .executor(Runnable::run) // no thread beyond those that are measured
                    .build();
        }

        /** A hit is {@code getIfPresent} alone. */
        @Override
        Object use(PageKey key) {
            Cacheable content = cache.getIfPresent(key);
            return content != null ? content : cache.get(key, k -> new Content().setIdentity(k));
        }
    }

    private static final class SynchronizedLru extends Peer {
        private final Map<PageKey, Cacheable> map;

        SynchronizedLru(int capacity) {
            map = new LinkedHashMap<>(2 * capacity, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<PageKey, Cacheable> eldest) {
                    return size() > capacity;
                }
            };
        }

        @Override
        Object use(PageKey key) {
            synchronized (map) {
                Cacheable content = map.get(key);
                if (content == null) {
                    content = new Content().setIdentity(key);
                    map.put(key, content);
                }
                return content;
            }
        }
    }
}
