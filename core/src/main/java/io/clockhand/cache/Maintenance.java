// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.NodeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What visits all holders of a cache: cleaning, ageing out, discarding, listing. The contracts stand at the methods of
 * {@link HolderCache}.
 *
 * <p>A visit reads the binding of each frame without owning it, so what it read may be retired already. It acts only
 * after it has claimed the frame and found the same binding, or pinned it and found the entry not retired. Holders that
 * come into a frame after the visit passed it, or in place of the one it saw, were not there when it was called.
 */
final class Maintenance<K, V, X extends Exception> {
    private final FramePool<X> pool;
    private final NodeTable<K, Entry<K, V>> table;
    private final Bindings<K, V> bindings;
    private final HolderLifecycle<K, V, X> lifecycle;
    private final CleaningQueue<K, V> cleaning;

    Maintenance(
            FramePool<X> pool,
            NodeTable<K, Entry<K, V>> table,
            Bindings<K, V> bindings,
            HolderLifecycle<K, V, X> lifecycle,
            CleaningQueue<K, V> cleaning) {
        this.pool = pool;
        this.table = table;
        this.bindings = bindings;
        this.lifecycle = lifecycle;
        this.cleaning = cleaning;
    }

    void clean(Predicate<? super K> matching) throws X {
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            Entry<K, V> entry = bindings.get(frame);
            if (entry != null && matching.test(entry.key())) {
                clean(entry);
            }
        }
    }

    boolean cleanQueued(int max) throws X {
        for (int i = 0; i < max; i++) {
            Entry<K, V> entry = cleaning.poll();
            if (entry == null) {
                return false;
            }
            if (clean(entry)) {
                cleaning.onCleaned();
            }
        }
        return !cleaning.isEmpty();
    }

    /**
     * Writes a holder back if it is there and dirty, after any write-back that is under way; takes the mark off.
     *
     * @return whether it was written
     */
    private boolean clean(Entry<K, V> entry) throws X {
        if (!pinToClean(entry)) {
            return false;
        }
        int frame = entry.frame;
        boolean dirty;
        try {
            pool.beginWriting(frame);
            try {
                dirty = lifecycle.isDirty(entry.holder);
                if (dirty) {
                    lifecycle.clean(entry.holder, false);
                }
            } finally {
                pool.endWriting(frame);
            }
        } finally {
            pool.unpin(frame);
        }
        return dirty;
    }

    void ageOut() {
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            if (!pool.tryClaimAfterDirtyCheck(frame)) {
                continue;
            }
            boolean dirty = true;
            try {
                dirty = lifecycle.isDirty(bindings.get(frame).holder);
            } finally {
                if (dirty) {
                    pool.revoke(frame);
                }
            }
            if (!dirty) {
                pool.remove(frame);
            }
        }
    }

    boolean discard(Predicate<? super K> matching) {
        boolean all = true;
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            Entry<K, V> entry = bindings.get(frame);
            if (entry == null || !matching.test(entry.key())) {
                continue;
            }
            if (!pool.tryClaimAfterDirtyCheck(frame)) {
                all &= table.get(entry.key(), entry.tag()) != entry;
            } else if (bindings.get(frame) == entry) {
                pool.remove(frame);
            } else {
                pool.revoke(frame);
            }
        }
        return all;
    }

    List<V> values() {
        List<V> values = new ArrayList<>();
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            Entry<K, V> entry = bindings.get(frame);
            if (entry != null && pinForDirtyCheck(entry)) {
                try {
                    values.add(entry.holder);
                } finally {
                    pool.endDirtyCheck(frame, false);
                }
            }
        }
        return values;
    }

    /**
     * Looks whether a holder is dirty, and keeps it then. {@link #discard} waits for the end of a look, as it must not
     * take the pin for one of a user. A holder that is being written back counts as dirty: it may have been marked clean
     * before the write has ended.
     */
    private boolean pinToClean(Entry<K, V> entry) {
        if (!pinForDirtyCheck(entry)) {
            return false;
        }
        boolean dirty = false;
        try {
            dirty = lifecycle.isDirty(entry.holder) || FrameState.isWriting(pool.state(entry.frame));
        } finally {
            pool.endDirtyCheck(entry.frame, dirty);
        }
        return dirty;
    }

    /** Pins the frame to look at it, if it is bound to the entry and loaded; waits for the end of a claim on it. */
    private boolean pinForDirtyCheck(Entry<K, V> entry) {
        long state = pool.pinForDirtyCheck(entry.frame);
        if (state == FrameStates.NOT_PINNED) {
            return false;
        }
        if (!entry.isRetired() && FrameState.content(state) == FrameState.READY) {
            return true;
        }
        pool.endDirtyCheck(entry.frame, false);
        return false;
    }
}
