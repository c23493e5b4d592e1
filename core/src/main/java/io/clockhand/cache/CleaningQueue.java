// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FramePool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Dirty holders that were in the way of a find and wait for the cleaner.
 *
 * <p>The <i>queued</i> mark in the frame's state keeps a holder from being queued twice and from being chosen as a victim
 * again. It goes when the holder has been cleaned, or when somebody claims the frame for another reason; an entry whose
 * frame has gone on is skipped. An entry that comes here without a mark costs a look and nothing else.
 */
final class CleaningQueue<K, V, X extends Exception> {
    private final Queue<Entry<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final FramePool<X> pool;
    private final HolderLifecycle<K, V, X> lifecycle;
    private volatile Runnable cleaner;

    CleaningQueue(FramePool<X> pool, HolderLifecycle<K, V, X> lifecycle) {
        this.pool = pool;
        this.lifecycle = lifecycle;
    }

    void use(Runnable nudged) {
        cleaner = nudged;
    }

    boolean hasCleaner() {
        return cleaner != null;
    }

    void add(Entry<K, V> entry) {
        queue.add(entry);
        Runnable nudged = cleaner;
        if (nudged != null) {
            nudged.run();
        }
    }

    /** {@return whether entries are left} */
    boolean work(int max) throws X {
        for (int i = 0; i < max; i++) {
            Entry<K, V> entry = queue.poll();
            if (entry == null) {
                return false;
            }
            long state = pool.tryPinQuietly(entry.frame);
            if (state != FrameStates.NOT_PINNED) {
                try {
                    // Not ready: the frame had gone on to another key before its entry was queued.
                    if (!entry.retired && FrameState.content(state) == FrameState.READY) {
                        clean(entry);
                    }
                } finally {
                    pool.unpin(entry.frame);
                }
            }
        }
        return !queue.isEmpty();
    }

    /** Writes a pinned holder back if it is dirty, after any write-back that is under way, and takes the mark off. */
    void clean(Entry<K, V> entry) throws X {
        pool.beginWriting(entry.frame);
        try {
            if (lifecycle.isDirty(entry.holder)) {
                lifecycle.clean(entry.holder, false);
            }
        } finally {
            pool.endWriting(entry.frame);
        }
    }
}
