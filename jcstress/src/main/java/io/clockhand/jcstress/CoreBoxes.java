// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import java.util.concurrent.ThreadLocalRandom;

/** The cache of core. It may grow to one frame for each actor, so that none has to wait for the other. */
final class CoreBoxes implements Boxes {
    private static final int ACTORS = 2;

    private final HolderCache<Integer, Box, RuntimeException> cache;

    CoreBoxes(Store store, int capacity) {
        cache = HolderCache.builder(new Lifecycle(store))
                .frames(capacity)
                .maxFrames(ACTORS)
                .build();
    }

    @Override
    public Box find(int key) {
        return cache.find(key);
    }

    @Override
    public void release(Box box) {
        cache.release(box);
    }

    @Override
    public String integrity() {
        try {
            cache.checkIntegrity();
            int pinned = cache.stats().pinned();
            return pinned == 0 ? "intact" : pinned + " frames are pinned";
        } catch (IllegalStateException broken) {
            return broken.getMessage();
        }
    }

    private static final class Lifecycle implements HolderLifecycle<Integer, Box, RuntimeException> {
        private final Store store;
        private final boolean numbered = ThreadLocalRandom.current().nextBoolean();

        Lifecycle(Store store) {
            this.store = store;
        }

        @Override
        public Box allocate() {
            return new Box();
        }

        @Override
        public Box load(Box box, Integer key) {
            if (key == Store.NOWHERE) {
                return null;
            }
            store.load(box, key);
            return box;
        }

        @Override
        public Box create(Box box, Integer key, Object parameter) {
            throw new UnsupportedOperationException("no test creates boxes");
        }

        /** Keys with a number of their own are found by shortcuts, the others by the table: now this, now that. */
        @Override
        public long tagOf(Integer key) {
            return numbered ? key : key.hashCode() | Long.MIN_VALUE;
        }

        @Override
        public Integer keyOf(Box box) {
            return box.key;
        }

        @Override
        public boolean isDirty(Box box) {
            return box.dirty;
        }

        @Override
        public void clean(Box box, boolean removing) {
            store.write(box);
        }

        @Override
        public void clear(Box box) {
            box.clear();
        }
    }
}
