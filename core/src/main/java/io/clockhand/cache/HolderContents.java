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

    /**
     * Clears and unmaps the holder of a claimed frame, which is clean. If clearing throws, the frame is free
     * afterwards. To clear a holder may take long, so the frame is marked; the mark goes when the frame is freed or
     * bound anew.
     */
    void evict(int frame) {
        try {
            pool.beginOwnedWriting(frame);
            clear(frame);
        } catch (Throwable e) {
            unmap(frame);
            pool.release(frame);
            throw e;
        }
        unmap(frame);
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

    private void unmap(int frame) {
        try {
            Entry<K, V> entry = bindings.get(frame);
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
