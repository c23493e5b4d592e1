// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.NodeTable;
import io.clockhand.policy.ReplacementPolicy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * A cache of holders by key, for database engines that keep their own page, file or statement objects.
 *
 * <p>{@link #find} gives the holder of a key and <i>keeps</i> it (pins it); {@link #release} lets it go. A kept holder
 * stays; of the others the {@linkplain io.clockhand.policy.Policies replacement policy} chooses one when room is needed.
 * There is at most one holder for a key at any time, from the moment its load begins to the moment it has been cleared.
 *
 * <pre>{@code
 * HolderCache<Long, Page, IOException> pages =
 *         HolderCache.builder(new PageLifecycle(file)).frames(10_000).build();
 * Page page = pages.find(42L);
 * try {
 *     page.use();
 * } finally {
 *     pages.release(page);
 * }
 * }</pre>
 *
 * <p>A hit takes no lock, allocates nothing, and changes one word of shared memory, the pin, beside hints for the release
 * and, now and then, for the next find. The capacity is soft: when every holder is kept the cache grows in small steps, and
 * it shrinks back on later misses. A dirty holder is never unmapped: it is written back while it can still be found, or
 * owned by the thread that writes it.
 *
 * <p>Thread-safe, by platform and virtual threads. Waits (for a load of the same key, an eviction, a write-back) are
 * uninterruptible and bounded; interrupts are kept.
 *
 * @param <K> the keys
 * @param <V> the holders
 * @param <X> the checked exception of the lifecycle, which reaches the caller as it is
 */
public final class HolderCache<K, V, X extends Exception> implements AutoCloseable {
    private final HolderLifecycle<K, V, X> lifecycle;
    private final NodeTable<K, Entry<K, V>> table;
    private final Bindings<K, V> bindings;
    private final FrameArray<V> holders;
    private final Shortcuts shortcuts;
    private final HolderContents<K, V, X> contents;
    /** Of the threads, see {@link RecentFrames}. */
    private final int[] recent = RecentFrames.create();

    private final FramePool<X> pool;
    /** The pool's, as are the two behind it: a hit loads as little as it can behind its atomic operations. */
    private final FrameStates states;

    private final int weightCap;
    private final boolean observesHits;
    private final CleaningQueue<K, V> cleaning;
    private final Maintenance<K, V, X> maintenance;
    private final int capacity;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private volatile boolean collecting;
    private volatile boolean closed;

    HolderCache(HolderCacheBuilder<K, V, X> builder, ReplacementPolicy policy) {
        this.lifecycle = builder.lifecycle;
        this.capacity = builder.frames();
        this.table = builder.table().create(capacity);
        this.bindings = new Bindings<>(capacity);
        this.holders = new FrameArray<>(capacity);
        this.shortcuts = new Shortcuts(builder.table() == KeyTable.CHAINED ? capacity : 0);
        this.cleaning = new CleaningQueue<>(capacity);
        this.contents = new HolderContents<>(lifecycle, table, bindings, holders, cleaning, capacity);
        this.pool = new FramePool<>(builder.poolOptions(), policy, contents);
        this.states = pool.states();
        this.weightCap = pool.weightCap();
        this.observesHits = pool.observesHits();
        this.maintenance = new Maintenance<>(pool, table, bindings, lifecycle, cleaning);
    }

    /**
     * Starts to build a cache.
     *
     * @param lifecycle loads, cleans and clears the holders
     * @param <K> the keys
     * @param <V> the holders
     * @param <X> the checked exception of the lifecycle
     * @return a builder
     */
    public static <K, V, X extends Exception> HolderCacheBuilder<K, V, X> builder(HolderLifecycle<K, V, X> lifecycle) {
        return new HolderCacheBuilder<>(lifecycle);
    }

    // --- keeping and releasing ---------------------------------------------------------------------------------------

    /**
     * Finds the holder of a key, loads it if it is not here, and keeps it.
     *
     * @param key the key
     * @return the holder, to be {@linkplain #release released}; null if there is nothing for the key
     * @throws X if the load, or the write-back of a victim, failed; the next find tries again
     * @throws io.clockhand.PoolExhaustedException if every frame is kept and the cache may not grow further
     * @throws io.clockhand.WaitTimeoutException if another thread took too long with the same key
     */
    public V find(K key) throws X {
        int[] hints = recent;
        int stripe = RecentFrames.stripe();
        long tag = lifecycle.tagOf(key);
        int near = shortcuts.frame(tag);
        if (near != Shortcuts.NONE && tryKeep(near, tag)) {
            return onHit(near, hints, stripe);
        }
        for (; ; ) {
            Entry<K, V> entry = table.get(key, tag);
            if (entry != null) {
                if (tryKeep(entry)) {
                    noteSometimes(tag, entry.frame, hints, stripe);
                    return onHit(entry.frame, hints, stripe);
                }
                continue;
            }
            checkOpen();
            Miss<K, V, X> miss = new Miss<>(contents, key, tag, collecting ? misses : null);
            int frame = pool.miss(tag, miss);
            if (frame != FramePool.LOST) {
                return kept(miss, tag, frame);
            }
        }
    }

    /**
     * Finds the holder of a key if it is in the cache, and keeps it; never loads, but waits for a load under way.
     *
     * @param key the key
     * @return the holder, to be {@linkplain #release released}; null if it is not here or its load failed
     * @throws io.clockhand.WaitTimeoutException if another thread took too long with the same key
     */
    public V findCached(K key) {
        int[] hints = recent;
        int stripe = RecentFrames.stripe();
        long tag = lifecycle.tagOf(key);
        int near = shortcuts.frame(tag);
        if (near != Shortcuts.NONE && tryKeep(near, tag)) {
            return onHit(near, hints, stripe);
        }
        for (; ; ) {
            Entry<K, V> entry = table.get(key, tag);
            if (entry == null) {
                count(misses);
                return null;
            }
            if (tryKeep(entry)) {
                noteSometimes(tag, entry.frame, hints, stripe);
                return onHit(entry.frame, hints, stripe);
            }
        }
    }

    /** Not always: tags that drive each other out of one pair of places must not write to it with every hit. */
    private void noteSometimes(long tag, int frame, int[] hints, int stripe) {
        if (RecentFrames.isTurn(hints, stripe)) {
            shortcuts.put(tag, frame);
        }
    }

    private V onHit(int frame, int[] hints, int stripe) {
        boolean told = false;
        try {
            count(hits);
            if (observesHits) {
                pool.onHit(frame);
            }
            told = true;
        } finally {
            if (!told) {
                pool.unpin(frame);
            }
        }
        RecentFrames.push(hints, stripe, frame);
        return holders.get(frame);
    }

    /**
     * Makes a new holder for a key and keeps it.
     *
     * @param key the key
     * @param parameter goes to {@link HolderLifecycle#create}
     * @return the holder, to be {@linkplain #release released}; null if the lifecycle gave none
     * @throws KeyExistsException at once, if the key is in the cache or is being loaded by another thread
     * @throws X as for {@link #find}
     */
    public V create(K key, Object parameter) throws X {
        checkOpen();
        long tag = lifecycle.tagOf(key);
        Miss<K, V, X> miss = Miss.creating(contents, key, tag, parameter);
        int frame = table.get(key, tag) != null ? FramePool.LOST : pool.miss(tag, miss);
        if (frame == FramePool.LOST) {
            throw new KeyExistsException(key);
        }
        return kept(miss, tag, frame);
    }

    private V kept(Miss<K, V, X> miss, long tag, int frame) {
        if (frame == FramePool.ABSENT) {
            return null;
        }
        shortcuts.put(tag, frame);
        RecentFrames.push(recent, RecentFrames.stripe(), frame);
        return miss.holder();
    }

    /**
     * Lets a kept holder go.
     *
     * @param holder a holder that the caller keeps
     * @throws IllegalStateException if the holder is not kept
     * @throws NullPointerException if there is none
     */
    public void release(V holder) {
        int frame = keptFrame(holder);
        long before = states.unpin(frame);
        if (!FrameState.isQuiet(before)) {
            pool.completeUnpin(frame, before);
        }
    }

    /**
     * Removes a holder that the caller keeps: waits until nobody else keeps it, cleans it with {@code removing} set,
     * clears it. Until then others may find it. If cleaning fails the holder stays in the cache, not kept any more; if
     * the wait is given up by the {@linkplain HolderCacheBuilder#onLongWait handler}, the caller keeps it still.
     *
     * @param holder a holder that the caller keeps once
     * @throws X if cleaning failed
     * @throws IllegalStateException if the holder is not kept
     */
    public void remove(V holder) throws X {
        int frame = keptFrame(holder);
        pool.awaitLastPin(frame);
        pool.beginOwnedWriting(frame);
        boolean cleaned = false;
        try {
            lifecycle.clean(holder, true);
            cleaned = true;
        } finally {
            if (!cleaned) {
                pool.endWriting(frame);
                pool.revoke(frame);
            }
        }
        pool.remove(frame);
    }

    /** Pins a frame that probably holds what belongs to the tag; false if it does not, or not yet. */
    private boolean tryKeep(int frame, long tag) {
        if (!states.tryPinReady(frame, tag, weightCap)) {
            return false;
        }
        if (states.identity(frame) == tag) {
            return true;
        }
        pool.unpin(frame);
        return false;
    }

    /**
     * Pins the entry's frame; false if the entry is gone, or was not loaded: the caller looks the key up again. A finder
     * that meets a retired entry helps to unmap it; its holder has been cleared by then, and before the frame was bound
     * to another.
     */
    private boolean tryKeep(Entry<K, V> entry) {
        int frame = entry.frame;
        if (bindings.get(frame) != entry) {
            table.remove(entry);
            return false;
        }
        long state = states.tryPin(frame, weightCap);
        if (state == FrameStates.NOT_PINNED) {
            if (entry.isRetired()) {
                table.remove(entry);
            } else {
                pool.awaitUnclaimed(frame);
            }
            return false;
        }
        if (entry.isRetired()) {
            pool.unpin(frame);
            table.remove(entry);
            return false;
        }
        if (FrameState.content(state) == FrameState.READY || awaitLoaded(entry)) {
            return true;
        }
        pool.unpin(frame);
        return false;
    }

    private boolean awaitLoaded(Entry<K, V> entry) {
        boolean returned = false;
        try {
            boolean ready = pool.awaitReady(entry.frame);
            returned = true;
            return ready;
        } finally {
            if (!returned) {
                pool.unpin(entry.frame);
            }
        }
    }

    /**
     * Finds the frame of a holder that the caller keeps: it is one where the thread kept something last, or that of its
     * key. Both ways lead to the same: a holder is live in one frame, and cannot leave it while it is kept.
     */
    @SuppressWarnings("ReferenceEquality") // the very holder, not one that is equal to it
    private int keptFrame(V holder) {
        Objects.requireNonNull(holder, "holder"); // or it would be found in a frame that has none
        int[] hints = recent;
        int stripe = RecentFrames.stripe();
        int last = RecentFrames.last(hints, stripe);
        if (holders.hinted(last) == holder) {
            RecentFrames.pop(hints, stripe);
            return last;
        }
        int before = RecentFrames.beforeLast(hints, stripe);
        return holders.hinted(before) == holder ? before : frameOfKey(holder);
    }

    @SuppressWarnings("ReferenceEquality") // the very holder
    private int frameOfKey(V holder) {
        K key = lifecycle.keyOf(holder);
        Entry<K, V> entry = key == null ? null : table.get(key, lifecycle.tagOf(key));
        if (entry == null || holders.hinted(entry.frame) != holder) {
            throw new IllegalStateException("not kept in this cache: " + holder + " with key " + key);
        }
        return entry.frame;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the cache is closed");
        }
    }

    // --- maintenance -------------------------------------------------------------------------------------------------

    /**
     * Cleans every holder that is dirty at the call: when it returns each of them has been clean at some moment since,
     * including those that another thread was writing back.
     *
     * @throws X if a write failed; the other holders may not have been visited
     */
    public void cleanAll() throws X {
        cleanMatching(key -> true);
    }

    /**
     * Cleans the holders whose key matches, as {@link #cleanAll} does for all.
     *
     * @param matching tells which
     * @throws X if a write failed; the other holders may not have been visited
     */
    public void cleanMatching(Predicate<? super K> matching) throws X {
        maintenance.clean(matching);
    }

    /**
     * Drops all holders that are neither kept nor dirty.
     */
    public void ageOut() {
        maintenance.ageOut();
    }

    /**
     * Drops the holders that match and are not kept, <b>without</b> cleaning them: their changes are lost. Waits for
     * nothing but a thread that looks whether a holder is dirty.
     *
     * @param matching tells which
     * @return false if a matching holder stayed, because it is kept, being loaded, or being written back
     */
    public boolean discard(Predicate<? super K> matching) {
        return maintenance.discard(matching);
    }

    /**
     * Lists the holders that are loaded at some moment of the call. They are not kept for the caller.
     *
     * @return a new list
     */
    public List<V> values() {
        return maintenance.values();
    }

    /**
     * Lets somebody else write dirty victims back from now on: a find that meets one queues it and looks further. Without
     * a cleaner, as at the start, a find writes dirty victims back itself.
     *
     * @param cleaner called when there is something to clean, by threads that must not be delayed; it makes another
     *     thread call {@link #cleanQueued}. Null if there is no cleaner any more
     */
    public void useCleaner(Runnable cleaner) {
        cleaning.use(cleaner);
    }

    /**
     * Works the cleaning queue off, for a background thread: each dirty holder that a find met in search of room is
     * kept, cleaned and released.
     *
     * @param max how many at most
     * @return whether more are waiting
     * @throws X if a write failed; the holder stays dirty, and will be queued again when it is in the way again
     */
    public boolean cleanQueued(int max) throws X {
        return maintenance.cleanQueued(max);
    }

    /**
     * Closes the cache: cleans all holders and drops them. Call it when no other thread uses the cache any more; finds
     * that would have to load fail from now on.
     *
     * @throws X if a write failed; the cache is closed, and the dirty holders are still in it
     * @throws IllegalStateException if holders are kept
     */
    @Override
    public void close() throws X {
        closed = true;
        cleanAll();
        ageOut();
        HolderCacheStats left = stats();
        if (left.resident() > 0) {
            throw new IllegalStateException(
                    "the cache was closed while " + left.pinned() + " of its holders are kept, among them " + kept());
        }
    }

    private String kept() {
        for (int frame = 0; frame < pool.frames(); frame++) {
            if (FrameState.pins(pool.state(frame)) > 0) {
                return bindings.describe(frame);
            }
        }
        return "none any more";
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting. While it is off nothing is stored for it.
     *
     * @param on whether to count
     */
    public void collectStats(boolean on) {
        collecting = on;
        pool.collect(on);
        cleaning.collect(on);
    }

    /** {@return the figures now} */
    public HolderCacheStats stats() {
        int resident = 0;
        int pinned = 0;
        int frames = pool.frames();
        for (int frame = 0; frame < frames; frame++) {
            long state = pool.state(frame);
            resident += FrameState.content(state) == FrameState.READY ? 1 : 0;
            pinned += FrameState.pins(state) > 0 ? 1 : 0;
        }
        return new HolderCacheStats(
                hits.sum(),
                misses.sum(),
                pool.evictions(),
                pool.declined(),
                pool.framesScanned(),
                pool.foregroundCleans(),
                cleaning.cleaned(),
                cleaning.length(),
                capacity,
                frames,
                resident,
                pool.peakFrames(),
                pinned);
    }

    /**
     * Checks the invariants of the cache, for tests: call it while no other thread uses the cache.
     *
     * @throws IllegalStateException if one does not hold; the message says which
     */
    public void checkIntegrity() {
        IntegrityCheck.check(pool, contents);
    }

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }
}
