// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.PoolFailedException;
import io.clockhand.page.SmallHeap;
import io.clockhand.testing.Patience;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/** The cache of {@link SmallHeap}: counters by key in a store that needs no memory. */
public final class SmallHeapCache {
    private static final int FRAMES = 8;
    private static final int KEYS = 40;
    /** The holders of keys from here on are never dirty, so that they can be discarded. */
    private static final int CHANGED = 32;

    /** The stored value of each key. */
    private final AtomicLongArray stored = new AtomicLongArray(KEYS);

    /** The value of each key that was set last, under a pin. */
    private final AtomicLongArray values = new AtomicLongArray(KEYS);

    private final Integer[] keys = new Integer[KEYS];
    private final HolderCache<Integer, Holder, IOException> cache;

    /** Begins with an empty cache. */
    public SmallHeapCache(String policy) {
        for (int key = 0; key < KEYS; key++) {
            keys[key] = key;
        }
        cache = HolderCache.builder(new Lifecycle())
                .frames(FRAMES)
                .maxFrames(4 * FRAMES)
                .policy(policy)
                .exhaustedAfter(Patience.PATIENCE)
                .waitTimeout(Patience.PATIENCE)
                .build();
        cache.collectStats(true);
    }

    private static final class Holder {
        private Integer key;
        private long value;
        private volatile boolean dirty;
    }

    private final class Lifecycle implements HolderLifecycle<Integer, Holder, IOException> {
        @Override
        public Holder allocate() {
            return new Holder();
        }

        @Override
        public Holder load(Holder holder, Integer key) {
            holder.key = key;
            holder.value = stored.get(key);
            return holder;
        }

        @Override
        public Holder create(Holder holder, Integer key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public Integer keyOf(Holder holder) {
            return holder.key;
        }

        @Override
        public long idOf(Integer key) {
            return key % 2 == 0 ? key : key.hashCode() | Long.MIN_VALUE;
        }

        @Override
        public boolean isDirty(Holder holder) {
            return holder.dirty;
        }

        @Override
        public void clean(Holder holder, boolean removing) {
            holder.dirty = false;
            synchronized (holder) {
                stored.set(holder.key, holder.value);
            }
        }

        @Override
        public void clear(Holder holder) {
            holder.key = null;
            holder.dirty = false;
        }
    }

    /** Fails it. */
    public void fail(Throwable cause) {
        cache.fail(cause);
    }

    /** {@return a thread's use of the cache} */
    public SmallHeap.Use user(SplittableRandom random) {
        return () -> {
            int choice = random.nextInt(100);
            Integer key = keys[random.nextInt(KEYS)];
            if (choice < 70) {
                Holder holder = cache.find(key);
                try {
                    if (choice < 20 && key < CHANGED) {
                        change(holder, key);
                    }
                } finally {
                    release(holder);
                }
            } else if (choice < 80) {
                Holder cached = cache.findCached(key);
                if (cached != null) {
                    release(cached);
                }
            } else if (choice < 85) {
                cache.discard(each -> each >= CHANGED);
            } else if (choice < 90) {
                cache.cleanAll();
            } else if (choice < 95) {
                cache.evictClean();
            } else {
                cache.cleanQueued(4);
            }
        };
    }

    private void change(Holder holder, Integer key) {
        synchronized (holder) {
            if (!key.equals(holder.key)) {
                throw new SmallHeap.Fault("the holder of key " + key + " has key " + holder.key, null);
            }
            holder.value++;
            values.incrementAndGet(key);
        }
        holder.dirty = true;
    }

    private void release(Holder holder) {
        try {
            cache.release(holder);
        } catch (Throwable failure) {
            throw new SmallHeap.Fault("a holder cannot be released", failure);
        }
    }

    /** {@return whether it has failed} */
    public boolean hasFailed() {
        return cache.failure().hasFailed();
    }

    /** Closes it when it has failed. */
    public void expectClosable() throws IOException {
        try {
            cache.close();
        } catch (PoolFailedException e) {
            // it is closed
        }
    }

    /** Checks it, with memory, and closes it. */
    public void expectWhole() throws IOException {
        expect(cache.stats().pinned() == 0, cache.stats().toString());
        cache.checkIntegrity();
        cache.cleanAll();
        for (int key = 0; key < KEYS; key++) {
            Holder holder = cache.find(keys[key]);
            expect(holder.value == values.get(key), "key " + key + " has lost a change");
            expect(stored.get(key) == values.get(key), "key " + key + " was not written");
            cache.release(holder);
        }
        cache.checkIntegrity();
        cache.close();
        expect(cache.stats().resident() == 0, "the cache does not become empty");
    }

    private static void expect(boolean holds, String fault) {
        if (!holds) {
            throw new AssertionError(fault);
        }
    }
}
