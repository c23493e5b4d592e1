// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The protocol of core's holder cache in its smallest form: one word per frame with pins, claim and content, a table,
 * and one box per frame that is used again and again. There is no policy, no list of free frames and no waiting but by
 * yielding: a frame that no thread has pinned is a victim, mapped or not.
 *
 * <p>The steps that a broken twin does wrong are the methods that are not private. Loops are bounded, so that a twin
 * that has spoilt a word ends all the same.
 */
class TinyCache implements Boxes {
    static final int PINS = 0xFFFF;
    static final int CLAIMED = 1 << 16;
    static final int READY = 1 << 17;

    private static final int NONE = -1;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    final ConcurrentMap<Integer, Entry> table = new ConcurrentHashMap<>();
    final AtomicIntegerArray words;
    final Store store;
    private final Box[] boxes;
    private final Entry[] bindings;
    /** A pin was dropped that was not there: some frames may never be free again. */
    private volatile boolean corrupt;

    /** One binding of a key to a frame. */
    static final class Entry {
        final int key;
        final int frame;
        boolean retired;

        Entry(int key, int frame) {
            this.key = key;
            this.frame = frame;
        }
    }

    TinyCache(Store store, int frames) {
        this.store = store;
        this.words = new AtomicIntegerArray(frames);
        this.bindings = new Entry[frames];
        this.boxes = new Box[frames];
        for (int frame = 0; frame < frames; frame++) {
            boxes[frame] = new Box();
            boxes[frame].frame = frame;
        }
    }

    @Override
    public final Box find(int key) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        do {
            Entry entry = table.get(key);
            if (entry == null) {
                entry = miss(key, deadline);
                if (entry != null) {
                    return boxes[entry.frame];
                }
            } else if (tryPin(entry.frame)) {
                if (isStillBound(entry) && awaitReady(entry.frame, deadline)) {
                    return boxes[entry.frame];
                }
                unpin(entry.frame);
            }
        } while (mayGoOn(deadline));
        return null;
    }

    @Override
    public final void release(Box box) {
        unpin(box.frame);
    }

    @Override
    public final String integrity() {
        for (int frame = 0; frame < boxes.length; frame++) {
            int word = words.get(frame);
            if ((word & (PINS | CLAIMED)) != 0) {
                return "frame " + frame + " is not free";
            }
        }
        return "intact";
    }

    private Entry miss(int key, long deadline) {
        int frame = claimVictim(deadline);
        if (frame == NONE) {
            return null;
        }
        if (bindings[frame] != null) {
            evict(bindings[frame], boxes[frame]);
        }
        Entry entry = new Entry(key, frame);
        bindings[frame] = entry;
        words.set(frame, 1);
        if (!map(entry)) {
            entry.retired = true;
            unpin(frame);
            return null;
        }
        store.load(boxes[frame], key);
        words.getAndAdd(frame, READY);
        return entry;
    }

    private int claimVictim(long deadline) {
        do {
            for (int frame = 0; frame < boxes.length; frame++) {
                if (tryClaim(frame)) {
                    return frame;
                }
            }
        } while (mayGoOn(deadline));
        return NONE;
    }

    private boolean awaitReady(int frame, long deadline) {
        do {
            if ((words.get(frame) & READY) != 0) {
                return true;
            }
        } while (mayGoOn(deadline));
        return false;
    }

    private boolean tryPin(int frame) {
        for (; ; ) {
            int word = words.get(frame);
            if ((word & CLAIMED) != 0) {
                return false;
            }
            if (words.compareAndSet(frame, word, word + 1)) {
                return true;
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the loops end by themselves; this only lets a stalled owner go on
    private boolean mayGoOn(long deadline) {
        Thread.yield();
        return !corrupt && System.nanoTime() - deadline < 0;
    }

    private void unpin(int frame) {
        if ((words.getAndDecrement(frame) & PINS) == 0) {
            corrupt = true;
        }
    }

    /** {@return whether the frame that was just pinned is still bound to the key for which the table returned it} */
    boolean isStillBound(Entry entry) {
        return !entry.retired;
    }

    /** Claims a frame if no thread has pinned it. */
    boolean tryClaim(int frame) {
        int word = words.get(frame);
        return (word & (PINS | CLAIMED)) == 0 && words.compareAndSet(frame, word, word | CLAIMED);
    }

    /** Empties a claimed frame: written back first, unmapped last. */
    void evict(Entry entry, Box box) {
        if (box.dirty) {
            store.write(box);
        }
        entry.retired = true;
        box.clear();
        table.remove(entry.key, entry);
    }

    /** Maps a pinned, empty frame; false if another one is mapped already. */
    boolean map(Entry entry) {
        return table.putIfAbsent(entry.key, entry) == null;
    }
}
