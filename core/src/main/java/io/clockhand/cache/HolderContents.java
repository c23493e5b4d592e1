// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.table.NodeTable;

/**
 * The contents of the frames, as {@link io.clockhand.internal.pool.FramePool} sees them: each frame is bound to an
 * entry.
 */
final class HolderContents<K, V, X extends Exception> implements FrameContents<X> {
    final HolderLifecycle<K, V, X> lifecycle;
    final NodeTable<K, Entry<K, V>> table;
    final Bindings<K, V> bindings;
    /** The live holder of each frame: set before its content is ready, and null before it is cleared. */
    final FrameArray<V> holders;

    private final int capacity;

    HolderContents(
            HolderLifecycle<K, V, X> lifecycle,
            NodeTable<K, Entry<K, V>> table,
            Bindings<K, V> bindings,
            FrameArray<V> holders,
            int capacity) {
        this.lifecycle = lifecycle;
        this.table = table;
        this.bindings = bindings;
        this.holders = holders;
        this.capacity = capacity;
    }

    @Override
    public boolean isDirty(int frame) {
        return lifecycle.isDirty(bindings.get(frame).holder);
    }

    @Override
    public void clean(int frame) throws X {
        lifecycle.clean(bindings.get(frame).holder, false);
    }

    @Override
    public void clear(int frame) {
        Entry<K, V> entry = bindings.get(frame);
        holders.set(frame, null);
        try {
            lifecycle.clear(entry.holder);
        } catch (Throwable failure) {
            entry.holder = null; // it cannot be used again
            throw failure;
        }
        if (frame >= capacity) {
            entry.holder = null; // it is not likely to be used again
        }
    }

    @Override
    public void unmap(int frame) {
        Entry<K, V> entry = bindings.get(frame);
        entry.retire();
        table.remove(entry);
    }

    @Override
    public boolean mayCleanHere() {
        return lifecycle.mayCleanHere();
    }

    @Override
    public void onFrames(int frames) {
        bindings.ensureFrames(frames);
        holders.ensureFrames(frames);
    }

    @Override
    public String describe(int frame) {
        return bindings.describe(frame);
    }
}
