// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.NodeTable;

/** What the frames of a cache hold: each frame is bound to an entry. */
final class HolderContents<K, V, X extends Exception> {
    final FramePool pool;
    final HolderLifecycle<K, V, X> lifecycle;
    final NodeTable<K, Entry<K, V>> table;
    final Bindings<K, V> bindings;
    /** The live holder of each frame: set before its content is ready, and null before it is cleared. */
    final FrameArray<V> holders;

    private final int capacity;

    HolderContents(
            FramePool pool,
            HolderLifecycle<K, V, X> lifecycle,
            NodeTable<K, Entry<K, V>> table,
            Bindings<K, V> bindings,
            FrameArray<V> holders,
            int capacity) {
        this.pool = pool;
        this.lifecycle = lifecycle;
        this.table = table;
        this.bindings = bindings;
        this.holders = holders;
        this.capacity = capacity;
    }

    /** {@return whether the holder of a claimed frame must be written back} May wait for a monitor of the holder. */
    boolean isDirty(int frame) {
        return lifecycle.isDirty(bindings.get(frame).holder);
    }

    /** Writes the holder of a claimed frame back, which stays mapped. */
    void clean(int frame) throws X {
        pool.beginOwnedWriting(frame);
        try {
            lifecycle.clean(bindings.get(frame).holder, false);
        } finally {
            pool.endWriting(frame);
        }
    }

    // --- map ---------------------------------------------------------------------------------------------------------

    /**
     * Clears and unmaps the holder of a claimed frame, if it has one, which is clean; binds the frame to the key of a
     * miss while no other thread sees it; publishes it with one pin and no content; maps the key to it.
     *
     * @param miss gets the entry, and the cleared holder
     * @return the frame, or LOST if another thread has mapped the key first: then the frame was given up
     */
    int map(int frame, Miss<K, V, X> miss) {
        evictVictim(frame);
        bind(frame, miss);
        pool.publishPinned(frame);
        boolean mapped = false;
        try {
            mapped = table.putIfAbsent(miss.entry);
        } finally {
            if (!mapped) {
                giveUp(frame, miss);
            }
        }
        return mapped ? frame : FramePool.LOST;
    }

    private void bind(int frame, Miss<K, V, X> miss) {
        boolean bound = false;
        try {
            pool.states().setIdentity(frame, miss.tag);
            Entry<K, V> last = bindings.get(frame);
            miss.blank = last == null ? null : last.holder;
            miss.entry = new Entry<>(miss.key, miss.tag, frame);
            bindings.set(frame, miss.entry);
            bound = true;
        } finally {
            if (!bound) {
                pool.release(frame);
            }
        }
    }

    /**
     * Unmaps the key of a miss and gives the frame up. The entry is retired: maintenance may have read it from the
     * bindings, and must not take it for the frame's next one. It is removed even if it lost, since a table may run out
     * of memory after it has taken the entry. The next miss in the frame takes the blank holder from the retired entry.
     */
    void giveUp(int frame, Miss<K, V, X> miss) {
        miss.entry.retire();
        miss.entry.holder = miss.blank;
        unmap(miss.entry);
        pool.giveUp(frame);
    }

    // --- unmap -------------------------------------------------------------------------------------------------------

    private void evictVictim(int frame) {
        if (!pool.states().isEmpty(frame)) {
            evict(frame);
        }
    }

    /** Frees a claimed frame, whose holder, if it has one, is clean. */
    void free(int frame) {
        evictVictim(frame);
        pool.release(frame);
    }

    /**
     * Clears and unmaps the holder of a claimed frame, which is clean. If clearing throws, the frame is free
     * afterwards. To clear a holder may take long, so the frame is marked; the mark goes when the frame is freed or
     * bound anew.
     */
    private void evict(int frame) {
        boolean cleared = false;
        try {
            pool.beginOwnedWriting(frame);
            clear(frame);
            cleared = true;
        } finally {
            unmap(bindings.get(frame));
            if (!cleared) {
                pool.release(frame);
            }
        }
    }

    private void clear(int frame) {
        Entry<K, V> entry = bindings.get(frame);
        holders.set(frame, null);
        boolean kept = false;
        try {
            lifecycle.clear(entry.holder);
            kept = frame < capacity;
        } finally {
            if (!kept) {
                entry.holder = null; // it cannot be used again, or is not likely to be
            }
        }
    }

    private void unmap(Entry<K, V> entry) {
        try {
            entry.retire();
            table.remove(entry);
        } catch (RuntimeException | Error e) {
            pool.failure().fail(e);
            throw e;
        }
    }

    /** Evicts the holder of a claimed frame, clean or not, and frees the frame. */
    void remove(int frame) {
        try {
            pool.policy().onRemove(frame);
        } finally {
            evict(frame);
            pool.release(frame);
        }
    }
}
