// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.pool.FrameContents;
import io.clockhand.internal.table.NodeTable;

/** Holders as the engine room sees them: by the frame that is bound to their entry. */
final class HolderContents<K, V, X extends Exception> implements FrameContents<X> {
    final HolderLifecycle<K, V, X> lifecycle;
    final NodeTable<K, Entry<K, V>> table;
    final Bindings<K, V> bindings;
    /** The live holder of each frame: set before its content is ready, and null from before it is cleared. */
    final FrameArray<V> holders;

    private final CleaningQueue<K, V> cleaning;
    private final int capacity;

    HolderContents(
            HolderLifecycle<K, V, X> lifecycle,
            NodeTable<K, Entry<K, V>> table,
            Bindings<K, V> bindings,
            FrameArray<V> holders,
            CleaningQueue<K, V> cleaning,
            int capacity) {
        this.lifecycle = lifecycle;
        this.table = table;
        this.bindings = bindings;
        this.holders = holders;
        this.cleaning = cleaning;
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
    public void evictContent(int frame) {
        Entry<K, V> entry = bindings.get(frame);
        boolean cleared = false;
        holders.set(frame, null);
        try {
            lifecycle.clear(entry.holder);
            cleared = true;
        } finally {
            if (!cleared || frame >= capacity) {
                entry.holder = null; // not fit, or not likely, to be used again
            }
            entry.retire();
            table.remove(entry);
        }
    }

    @Override
    public boolean hasCleaner() {
        return cleaning.hasCleaner();
    }

    @Override
    public boolean cleanerLags() {
        return cleaning.isLong();
    }

    @Override
    public boolean mayCleanHere() {
        return lifecycle.mayCleanHere();
    }

    @Override
    public int pollQueued() {
        Entry<K, V> entry = cleaning.poll();
        return entry == null ? -1 : entry.frame;
    }

    @Override
    public void cleanLater(int frame) {
        cleaning.add(bindings.get(frame));
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
