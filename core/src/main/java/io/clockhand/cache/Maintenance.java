// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.HitRatioEstimate;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.internal.table.NodeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Visits all holders of a cache: cleaning, ageing out, discarding, listing, statistics. The contracts stand at the
 * methods of {@link HolderCache}.
 *
 * <p>A visit reads the binding of each frame without owning the frame, so the entry that it read may be retired
 * already. It acts only after it has claimed the frame and found the same binding, or pinned it and found the entry not
 * retired. A visit does not see holders that are loaded into a frame after it has passed the frame, or in place of the
 * one that it saw: they were not there when it was called.
 */
final class Maintenance<K, V, X extends Exception> {
    private final HolderContents<K, V, X> contents;
    private final VictimSearch victims;
    private final FramePool pool;
    private final NodeTable<K, Entry<K, V>> table;
    private final Bindings<K, V> bindings;
    private final HolderLifecycle<K, V, X> lifecycle;
    private final WriteBackQueue queue;
    private final LongAdder cleaned = new LongAdder();
    private volatile boolean collecting;

    Maintenance(HolderContents<K, V, X> contents, WriteBackQueue queue, VictimSearch victims) {
        this.contents = contents;
        this.pool = contents.pool;
        this.table = contents.table;
        this.bindings = contents.bindings;
        this.lifecycle = contents.lifecycle;
        this.queue = queue;
        this.victims = victims;
    }

    /** A holder that cannot be cleaned keeps no other from it. */
    @SuppressWarnings("unchecked") // clean throws X and unchecked exceptions only
    void clean(Predicate<? super K> matching) throws X {
        Throwable failure = null;
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            Entry<K, V> entry = bindings.get(frame);
            if (entry == null || !matching.test(entry.key())) {
                continue;
            }
            try {
                clean(entry);
            } catch (Exception e) {
                failure = Failures.join(failure, e);
            }
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure != null) {
            throw (X) failure;
        }
    }

    boolean cleanQueued(int max) throws X {
        for (int i = 0; i < max; i++) {
            pool.enter(); // or a frame could be taken out of the queue and not be written
            int frame = queue.poll();
            if (frame == WriteBackQueue.NONE) {
                return false;
            }
            boolean polled = true;
            try {
                if (FrameState.isQueued(pool.state(frame)) && clean(bindings.get(frame)) && collecting) {
                    cleaned.increment();
                }
                polled = false;
            } finally {
                if (polled && FrameState.isQueued(pool.state(frame))) { // it failed before the dirty check
                    queue.add(frame);
                }
            }
        }
        return !queue.isEmpty();
    }

    void collect(boolean on) {
        collecting = on;
    }

    /**
     * Removes a holder through the caller's pin, which is the only one when this begins.
     *
     * @throws X if cleaning failed; the holder stays, and the pin has gone
     */
    void remove(int frame, V holder) throws X {
        pool.beginOwnedWriting(frame);
        try {
            lifecycle.clean(holder, true);
        } catch (Throwable failure) {
            pool.endWriting(frame);
            pool.revoke(frame);
            throw failure;
        }
        contents.remove(frame);
    }

    /**
     * Writes a holder back if it is resident and dirty, after any write-back in progress; clears the mark of the queue.
     *
     * @return whether it was written
     */
    private boolean clean(Entry<K, V> entry) throws X {
        if (!pinToClean(entry)) {
            return false;
        }
        int frame = entry.frame;
        try {
            pool.beginWriting(frame);
            try {
                boolean dirty = lifecycle.isDirty(entry.holder);
                if (dirty) {
                    lifecycle.clean(entry.holder, false);
                }
                return dirty;
            } finally {
                pool.endWriting(frame);
            }
        } finally {
            pool.unpin(frame);
        }
    }

    /** A holder that cannot be cleared keeps no other in the cache. */
    void evictClean() {
        RuntimeException failure = null;
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            try {
                evictIfClean(frame);
            } catch (RuntimeException e) {
                failure = joined(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Throws both if a wait was too long, since the next ones might be. */
    private static RuntimeException joined(RuntimeException first, RuntimeException second) {
        RuntimeException both = (RuntimeException) Failures.join(first, second);
        if (second instanceof WaitTimeoutException) {
            throw both;
        }
        return both;
    }

    private void evictIfClean(int frame) {
        if (!pool.tryClaimAfterDirtyCheck(frame)) {
            return;
        }
        boolean dirty = true; // also if nobody knows
        try {
            dirty = lifecycle.isDirty(bindings.get(frame).holder);
        } finally {
            if (dirty) {
                pool.revoke(frame);
            }
        }
        if (!dirty) {
            contents.remove(frame);
        }
    }

    /** A holder that cannot be cleared keeps no other in the cache. */
    boolean discard(Predicate<? super K> matching) {
        boolean all = true;
        RuntimeException failure = null;
        for (int frame = 0, frames = pool.frames(); frame < frames; frame++) {
            Entry<K, V> entry = bindings.get(frame);
            try {
                all &= entry == null || !matching.test(entry.key()) || discard(frame, entry);
            } catch (RuntimeException e) {
                failure = joined(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return all;
    }

    /** {@return whether the holder of the entry is not in the cache any more} */
    private boolean discard(int frame, Entry<K, V> entry) {
        if (!pool.tryClaimAfterDirtyCheck(frame)) {
            return table.get(entry.key(), entry.tag()) != entry;
        }
        if (bindings.get(frame) == entry) {
            contents.remove(frame);
        } else {
            pool.revoke(frame);
        }
        return true;
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
     * Checks whether a holder is dirty, and pins it if it is. {@link #discard} waits for the end of a dirty check,
     * since it must not take the pin for one of a user; otherwise an unpinned object could outlive its file. A holder
     * that is being written back counts as dirty: it may have been marked clean before the write has ended.
     */
    private boolean pinToClean(Entry<K, V> entry) {
        if (!pinForDirtyCheck(entry)) {
            return false;
        }
        boolean dirty = false; // also if nobody knows
        try {
            dirty = lifecycle.isDirty(entry.holder) || FrameState.isWriting(pool.state(entry.frame));
        } finally {
            pool.endDirtyCheck(entry.frame, dirty);
        }
        return dirty;
    }

    /** Pins the frame for a dirty check if it is bound to the entry and loaded; waits for the end of a claim on it. */
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

    /** {@return the key of a pinned holder, for a message} */
    String describePinned() {
        for (int frame = 0; frame < pool.frames(); frame++) {
            if (FrameState.pins(pool.state(frame)) > 0) {
                return bindings.describe(frame);
            }
        }
        return "none any more";
    }

    String describeResident() {
        for (int frame = 0; frame < pool.frames(); frame++) {
            if (FrameState.content(pool.state(frame)) == FrameState.READY) {
                return bindings.describe(frame);
            }
        }
        return "none any more";
    }

    HolderCacheStats stats(long hits, long misses, int capacity, List<HitRatioEstimate> estimates) {
        int resident = 0;
        int pinned = 0;
        int frames = pool.frames();
        for (int frame = 0; frame < frames; frame++) {
            long state = pool.state(frame);
            resident += FrameState.content(state) == FrameState.READY ? 1 : 0;
            pinned += FrameState.pins(state) > 0 ? 1 : 0;
        }
        return new HolderCacheStats(
                hits,
                misses,
                victims.evictions(),
                victims.declined(),
                victims.framesScanned(),
                victims.foregroundCleans(),
                cleaned.sum(),
                queue.length(),
                capacity,
                frames,
                resident,
                pool.peakFrames(),
                pinned,
                estimates);
    }
}
