// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderCacheBuilder;
import io.clockhand.cache.HolderLifecycle;

/** A holder that is loaded by setting its key, and never dirty. */
final class Item {
    private Long key;

    /** {@return a cache of items, to be set up further} */
    static HolderCacheBuilder<Long, Item, RuntimeException> cache(int capacity) {
        return HolderCache.builder(new Lifecycle()).frames(capacity);
    }

    /** Loads the keys, in order. */
    static void load(HolderCache<Long, Item, RuntimeException> cache, Long[] keys) {
        for (Long key : keys) {
            cache.release(cache.find(key));
        }
    }

    private static final class Lifecycle implements HolderLifecycle<Long, Item, RuntimeException> {
        @Override
        public Item allocate() {
            return new Item();
        }

        @Override
        public Item load(Item item, Long key) {
            item.key = key;
            return item;
        }

        @Override
        public Item create(Item item, Long key, Object parameter) {
            return load(item, key);
        }

        @Override
        public Long keyOf(Item item) {
            return item.key;
        }

        @Override
        public boolean isDirty(Item item) {
            return false;
        }

        @Override
        public void clean(Item item, boolean removing) {}

        @Override
        public void clear(Item item) {
            item.key = null;
        }
    }
}
