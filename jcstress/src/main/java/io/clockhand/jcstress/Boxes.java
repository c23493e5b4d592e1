// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A holder cache of boxes. It may grow to one frame for each actor, so that none has to wait for the other. Keys with a
 * number of their own are found by shortcuts, the others by the table: now this, now that.
 */
final class Boxes implements HolderLifecycle<Integer, Boxes.Box, RuntimeException> {
    static final int A = 1;
    static final int B = 2;

    private static final int ACTORS = 2;

    private final AtomicInteger loads = new AtomicInteger();
    private final boolean numbered;
    private final HolderCache<Integer, Box, RuntimeException> cache;

    /** A holder. Its fields are plain: the cache must order them. */
    static final class Box {
        /** The key that the box carries, 0 if it is clear. */
        int key;

        int value;

        /** {@return what the box carries, in words} */
        String content() {
            if (key == 0) {
                return "cleared";
            }
            return value != key ? "half loaded" : key == A ? "A" : "B";
        }
    }

    Boxes(int capacity) {
        this(capacity, ThreadLocalRandom.current().nextBoolean());
    }

    /** With keys that shortcuts find, or not. */
    Boxes(int capacity, boolean numbered) {
        this.numbered = numbered;
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

    /** {@return what a finder sees in the box of the key, or null if it is not in the cache} */
    String contentIfCached(int key) {
        Box box = cache.findCached(key);
        if (box == null) {
            return null;
        }
        String content = box.content();
        release(box);
        return content;
    }

    /** {@return whether the box of the key is not in the cache any more} */
    boolean discard(int key) {
        return cache.discard(other -> other == key);
    }

    /** {@return how often A was loaded} */
    int loads() {
        return loads.get();
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
        if (key == A) {
            loads.incrementAndGet();
        }
        box.key = key;
        box.value = key;
        return box;
    }

    @Override
    public Box create(Box box, Integer key, Object parameter) {
        throw new UnsupportedOperationException("no test creates boxes");
    }

    @Override
    public long idOf(Integer key) {
        return numbered ? key : key.hashCode() | Long.MIN_VALUE;
    }

    @Override
    public Integer keyOf(Box box) {
        return box.key;
    }

    @Override
    public boolean isDirty(Box box) {
        return false;
    }

    @Override
    public void clean(Box box, boolean removing) {
        throw new UnsupportedOperationException("no test changes boxes");
    }

    @Override
    public void clear(Box box) {
        box.key = 0;
        box.value = 0;
    }
}
