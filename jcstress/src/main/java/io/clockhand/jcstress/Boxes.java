// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A holder cache of boxes. It may grow to one frame for each actor, so that none has to wait for the other. Keys with a
 * number of their own are found by shortcuts, the others by the table: now this, now that.
 */
final class Boxes implements HolderLifecycle<Integer, Box, RuntimeException> {
    private static final int ACTORS = 2;

    private final Store store;
    private final boolean numbered = ThreadLocalRandom.current().nextBoolean();
    private final HolderCache<Integer, Box, RuntimeException> cache;

    Boxes(Store store, int capacity) {
        this.store = store;
        cache = HolderCache.builder(this).frames(capacity).maxFrames(ACTORS).build();
    }

    /** {@return the box of the key, pinned} */
    Box find(int key) {
        return cache.find(key);
    }

    void release(Box box) {
        cache.release(box);
    }

    /** {@return what a finder sees in the box of the key} */
    String contentOf(int key) {
        Box box = find(key);
        String content = box.content();
        release(box);
        return content;
    }

    /** {@return whether every frame is accounted for, while no thread uses the cache} */
    String integrity() {
        try {
            cache.checkIntegrity();
            int pinned = cache.stats().pinned();
            return pinned == 0 ? "intact" : pinned + " frames are pinned";
        } catch (IllegalStateException broken) {
            return broken.getMessage();
        }
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
