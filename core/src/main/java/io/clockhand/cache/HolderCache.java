// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.PoolFailure;
import io.clockhand.internal.pool.EngineCalls;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.internal.table.NodeTable;
import io.clockhand.policy.ReplacementPolicy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * A cache of holders by key, for database engines with page, file or statement objects of their own.
 *
 * <p>{@link #find} pins the holder of a key and returns it; {@link #release} unpins it. A pinned holder stays in the
 * cache; the {@linkplain io.clockhand.policy.Policies replacement policy} chooses victims among the other ones. There
 * is at most one holder for a key at any time, from the moment its load begins to the moment it has been cleared.
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
 * <p>A hit takes no lock, allocates nothing, and changes one word of shared memory, the pin, apart from hints for the
 * release and, now and then, for the next find. The capacity is soft: when every holder is pinned the cache grows in
 * small steps, and it shrinks back on later misses. A dirty holder is never unmapped: it is written back while it can
 * still be found, or owned by the thread that writes it.
 *
 * <p><b>Failures.</b> Once the cache has {@linkplain #fail failed}, every call that uses holders but {@link #release}
 * throws a {@link io.clockhand.PoolFailedException}, {@link #close} too. Once it is closed, a find that would load, and
 * a create, throw an {@link IllegalStateException}. A wait that takes too long ends with a {@link
 * io.clockhand.WaitTimeoutException}, or with a {@link io.clockhand.PoolExhaustedException} if it is for a frame.
 *
 * <p>Thread-safe, by platform and virtual threads. Waits (for a load of the same key, an eviction, a write-back) are
 * uninterruptible and bounded; an interrupt stays pending.
 *
 * @param <K> the keys
 * @param <V> the holders
 * @param <X> the checked exception of the lifecycle, which reaches the caller as it is
 */
public final class HolderCache<K, V, X extends Exception> implements AutoCloseable {
    /** The policy is notified of every access. */
    private static final int TRACKS_ACCESSES = 0b001;

    private static final int COLLECTS = 0b010;
    /** References are recorded for estimates; cleared while the record pauses. */
    private static final int ADVISES = 0b100;
    /** The cache has failed: each call is refused but a release. */
    private static final int FAILED = 0b1000;

    private final HolderLifecycle<K, V, X> lifecycle;
    private final NodeTable<K, Entry<K, V>> table;
    private final Bindings<K, V> bindings;
    private final FrameArray<V> holders;
    private final Shortcuts shortcuts;
    private final HolderContents<K, V, X> contents;
    /** Hints of the threads, see {@link RecentFrames}. */
    private final int[] recent = RecentFrames.create();

    private final FramePool pool;
    private final WriteBackQueue queue;
    private final VictimSearch victims;
    private final HolderSearch<K, V, X> search;
    /** The pool's, as are the next two: a hit loads as little as it can behind its atomic operations. */
    private final FrameStates states;

    private final int weightCap;
    private final Maintenance<K, V, X> maintenance;
    private final int capacity;
    /** Null if nothing is estimated. */
    private final Advice advice;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    /**
     * Flags of the rare work of a find; 0 on the fast path. One word, so that a hit tests everything at once. Volatile;
     * changed by {@link #set} alone, under a lock of its own: an application may lock this.
     */
    private volatile int rareWork;

    private final Object rareWorkLock = new Object();

    private final PoolFailure failure;

    private volatile boolean closed;

    HolderCache(HolderCacheBuilder<K, V, X> builder, ReplacementPolicy policy) {
        this.lifecycle = builder.lifecycle;
        this.capacity = builder.frames();
        this.table = builder.table().create(capacity);
        this.bindings = new Bindings<>(capacity);
        this.holders = new FrameArray<>(capacity);
        this.shortcuts = new Shortcuts(builder.table() == KeyTableKind.CHAINED ? capacity : 0);
        HolderLifecycle<K, V, X> uninterrupted = new UninterruptedLifecycle<>(lifecycle);
        PoolOptions options = builder.poolOptions();
        this.failure = options.failure();
        failure.onFailure(() -> set(FAILED, true));
        this.pool = FramePool.ofObjects(options, policy, this::ensureFrames, bindings::describe);
        this.queue = new WriteBackQueue(pool);
        this.victims = new VictimSearch(pool, queue, options, nanos -> {});
        this.contents = new HolderContents<>(pool, uninterrupted, table, bindings, holders, capacity);
        this.search = new HolderSearch<>(contents, queue, victims, options);
        this.states = pool.states();
        this.weightCap = pool.weightCap();
        this.rareWork = pool.tracksAccesses() ? TRACKS_ACCESSES : 0;
        this.maintenance = new Maintenance<>(contents, queue, victims);
        this.advice = builder.newAdvice();
        if (advice != null) {
            advice.control(on -> set(ADVISES, on));
        }
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

    // --- finding and releasing ---------------------------------------------------------------------------------------

    /**
     * Finds the holder of a key, loads it if it is not in the cache, and pins it.
     *
     * @param key the key
     * @return the holder, to be {@linkplain #release released}; null if there is nothing for the key
     * @throws X if the load, or the write-back of a victim, failed; the next find tries again
     * @throws io.clockhand.PoolExhaustedException if every frame is pinned and the cache may not grow further
     * @throws io.clockhand.WaitTimeoutException if another thread took too long with the same key
     */
    public V find(K key) throws X {
        int[] hints = recent;
        int stripe = RecentFrames.stripe();
        long tag = lifecycle.idOf(key);
        if (has(ADVISES | FAILED)) {
            failure.check();
            advice.record(tag); // before the pin, since it may take some microseconds
        }
        int near = shortcuts.frame(tag);
        if (near != Shortcuts.NONE && tryPin(near, tag)) {
            return onHit(near, hints, stripe);
        }
        for (; ; ) {
            Entry<K, V> entry = table.get(key, tag);
            if (entry != null) {
                if (tryPin(entry)) {
                    noteSometimes(tag, entry.frame, hints, stripe);
                    return onHit(entry.frame, hints, stripe);
                }
                continue;
            }
            checkOpen();
            Miss<K, V, X> miss = new Miss<>(contents, key, tag, has(COLLECTS) ? misses : null, advice);
            int frame = miss.run(search);
            if (frame != FramePool.LOST) {
                return pinned(miss, tag, frame);
            }
        }
    }

    /**
     * Finds the holder of a key if it is in the cache, and pins it; never loads, but waits for a load in progress.
     *
     * @param key the key
     * @return the holder, to be {@linkplain #release released}; null if it is not in the cache or its load failed
     * @throws io.clockhand.WaitTimeoutException if another thread took too long with the same key
     */
    public V findCached(K key) {
        int[] hints = recent;
        int stripe = RecentFrames.stripe();
        long tag = lifecycle.idOf(key);
        if (has(ADVISES | FAILED)) {
            failure.check();
            if (table.get(key, tag) != null) {
                advice.record(tag);
            }
        }
        int near = shortcuts.frame(tag);
        if (near != Shortcuts.NONE && tryPin(near, tag)) {
            return onHit(near, hints, stripe);
        }
        for (; ; ) {
            Entry<K, V> entry = table.get(key, tag);
            if (entry == null) {
                count(misses);
                return null;
            }
            if (tryPin(entry)) {
                noteSometimes(tag, entry.frame, hints, stripe);
                return onHit(entry.frame, hints, stripe);
            }
        }
    }

    /** Not always: tags that displace each other from one pair of places must not write to it with every hit. */
    private void noteSometimes(long tag, int frame, int[] hints, int stripe) {
        if (RecentFrames.isTurn(hints, stripe)) {
            shortcuts.put(tag, frame);
        }
    }

    private V onHit(int frame, int[] hints, int stripe) {
        int now = rareWork;
        if ((now & (TRACKS_ACCESSES | COLLECTS)) != 0) {
            pool.recordAccess(frame, null, (now & COLLECTS) != 0 ? hits : null, null);
        }
        RecentFrames.push(hints, stripe, frame);
        return holders.get(frame);
    }

    /**
     * Creates a new holder for a key and pins it.
     *
     * @param key the key
     * @param parameter goes to {@link HolderLifecycle#create}
     * @return the holder, to be {@linkplain #release released}; null if the lifecycle gave none
     * @throws KeyExistsException at once, if the key is in the cache or is being loaded by another thread
     * @throws X as for {@link #find}
     */
    public V create(K key, Object parameter) throws X {
        checkOpen();
        long tag = lifecycle.idOf(key);
        if (has(ADVISES)) {
            advice.record(tag);
        }
        Miss<K, V, X> miss = Miss.creating(contents, key, tag, parameter, advice);
        int frame = table.get(key, tag) != null ? FramePool.LOST : miss.run(search);
        if (frame == FramePool.LOST) {
            throw new KeyExistsException(key);
        }
        return pinned(miss, tag, frame);
    }

    private V pinned(Miss<K, V, X> miss, long tag, int frame) {
        if (frame == Miss.ABSENT) {
            return null;
        }
        shortcuts.put(tag, frame);
        RecentFrames.push(recent, RecentFrames.stripe(), frame);
        return miss.holder();
    }

    /**
     * Unpins a holder.
     *
     * @param holder a holder that the caller has pinned
     * @throws IllegalStateException if the holder is not pinned
     * @throws NullPointerException if there is none
     */
    public void release(V holder) {
        pool.unpin(pinnedFrame(holder));
    }

    /**
     * Removes a holder that the caller has pinned: waits until the caller's pin is the only one, cleans the holder with
     * {@code removing} set, clears it. Until then other threads may find it. If cleaning fails the holder stays in the
     * cache, unpinned; if the {@linkplain HolderCacheBuilder#onLongWait handler} ends the wait, it is still pinned.
     *
     * @param holder a holder that the caller has pinned once
     * @throws X if cleaning failed
     * @throws IllegalStateException if the holder is not pinned
     */
    public void remove(V holder) throws X {
        int frame = pinnedFrame(holder);
        pool.awaitLastPin(frame);
        maintenance.remove(frame, holder);
    }

    /** Pins a frame that probably holds what belongs to the tag; false if it does not, or not yet. */
    private boolean tryPin(int frame, long tag) {
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
     * Pins the entry's frame; false if the entry is gone, or was not loaded: the caller looks the key up again. A
     * finder that meets a retired entry helps to unmap it; its holder has been cleared by then, and before the frame
     * was bound to another. The state is read before the binding: a pin of another holder, although it went at once,
     * could let that outlive a {@link #discard}.
     */
    private boolean tryPin(Entry<K, V> entry) {
        int frame = entry.frame;
        int generation = FrameState.generation(states.state(frame));
        if (bindings.get(frame) != entry) {
            table.remove(entry);
            return false;
        }
        long state = states.tryPinIn(frame, generation, weightCap);
        if (state == FrameStates.NOT_PINNED) {
            if (entry.isRetired()) {
                table.remove(entry);
            } else {
                pool.awaitUnclaimed(frame);
            }
            return false;
        }
        if (entry.isRetired()) { // its load failed, or the generation, counted modulo 65,536, is the same again
            pool.unpin(frame);
            table.remove(entry);
            return false;
        }
        return FrameState.content(state) == FrameState.READY || awaitLoaded(frame);
    }

    /** {@return whether the holder of a pinned frame is loaded; the pin goes if it is not} */
    private boolean awaitLoaded(int frame) {
        boolean loaded = false;
        try {
            loaded = pool.awaitReady(frame);
        } finally {
            if (!loaded) {
                pool.unpin(frame);
            }
        }
        return loaded;
    }

    /**
     * Finds the frame of a holder that the caller has pinned: one in which the thread has pinned a holder last, or that
     * of its key. Both are the same: a holder is live in one frame, and cannot leave it while it is pinned.
     */
    @SuppressWarnings("ReferenceEquality") // the very holder, not one that is equal to it
    private int pinnedFrame(V holder) {
        if (holder == null) { // or it would be found in a frame that has none
            throw new NullPointerException("holder");
        }
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
        Entry<K, V> entry = key == null ? null : table.get(key, lifecycle.idOf(key));
        if (entry == null || holders.hinted(entry.frame) != holder) {
            throw new IllegalStateException("not pinned in this cache: " + holder + " with key " + key);
        }
        return entry.frame;
    }

    private void checkOpen() {
        failure.check();
        if (closed) {
            throw new IllegalStateException("the cache is closed");
        }
    }

    // --- maintenance -------------------------------------------------------------------------------------------------

    /**
     * Cleans every holder that is dirty at the call: when it returns each of them has been clean at some moment since,
     * including those that another thread was writing back.
     *
     * @throws X if a write failed; the other holders were cleaned nevertheless, and further failures are suppressed
     *     exceptions of this one
     */
    public void cleanAll() throws X {
        cleanMatching(key -> true);
    }

    /**
     * Cleans the holders whose key matches, as {@link #cleanAll} does for all.
     *
     * @param matching tells which
     * @throws X as {@link #cleanAll}
     */
    public void cleanMatching(Predicate<? super K> matching) throws X {
        failure.check();
        maintenance.clean(matching);
    }

    /**
     * Drops all holders that are neither pinned nor dirty. What a {@link HolderLifecycle} throws for one of them is
     * thrown when the others have been dropped.
     */
    public void evictClean() {
        failure.check();
        maintenance.evictClean();
    }

    /**
     * Drops the holders that match and are not pinned, <b>without</b> cleaning them: their changes are lost. Waits only
     * for threads that check whether a holder is dirty. A failure is thrown at the end, as by {@link #evictClean}.
     *
     * @param matching tells which
     * @return false if a matching holder stayed, because it is pinned, being loaded, or being written back
     */
    public boolean discard(Predicate<? super K> matching) {
        failure.check();
        return maintenance.discard(matching);
    }

    /**
     * Lists the holders that are loaded at some moment of the call. They are not pinned.
     *
     * @return a new list
     */
    public List<V> values() {
        failure.check();
        return maintenance.values();
    }

    /**
     * Leaves dirty victims to a cleaner from now on: a find that meets one queues it and seeks another. Without a
     * cleaner, as at the start, a find writes dirty victims back itself.
     *
     * @param cleaner called when there is something to clean, by threads that must not be delayed; it has another
     *     thread call {@link #cleanQueued}. Null if there is no cleaner any more
     */
    public void useCleaner(Runnable cleaner) {
        queue.use(
                cleaner == null
                        ? null
                        : () -> {
                            boolean interrupted = EngineCalls.begin();
                            try {
                                cleaner.run();
                            } finally {
                                EngineCalls.end(interrupted);
                            }
                        });
    }

    /**
     * Works the write-back queue off, for a background thread: pins, cleans and unpins each dirty holder that a find
     * met as a victim.
     *
     * @param max the greatest number of holders to clean
     * @return whether more are waiting
     * @throws X if a write failed; the holder stays dirty, and is queued again when a find meets it again
     */
    public boolean cleanQueued(int max) throws X {
        failure.check();
        return maintenance.cleanQueued(max);
    }

    /**
     * Closes the cache: cleans all holders and drops them. Call it when no other thread uses the cache any more; finds
     * that would have to load fail from now on.
     *
     * @throws X if a write failed; the cache is closed, and of the holders only those that are dirty, or pinned, are
     *     still in it
     * @throws IllegalStateException if holders are pinned
     * @throws io.clockhand.PoolFailedException if the cache has failed; it is closed, and its holders are neither
     *     cleaned nor cleared
     */
    @Override
    public void close() throws X {
        closed = true;
        try {
            cleanAll();
        } catch (Throwable failed) {
            evictCleanAfter(failed);
            throw failed;
        }
        evictClean();
        HolderCacheStats left = stats();
        if (left.resident() > 0 && left.pinned() == 0) {
            throw new IllegalStateException("the cache was closed, but " + left.resident() + " of its holders "
                    + (left.resident() == 1 ? "is" : "are") + " dirty after HolderLifecycle.clean, among them "
                    + maintenance.describeResident());
        }
        if (left.resident() > 0) {
            throw new IllegalStateException("the cache was closed while " + left.pinned()
                    + " of its holders are pinned, among them " + maintenance.describePinned());
        }
    }

    /** What the clean holders hold, open files for instance, is released though others cannot be written. */
    private void evictCleanAfter(Throwable failed) {
        if (failure.hasFailed()) {
            return;
        }
        try {
            evictClean();
        } catch (Throwable second) {
            Failures.join(failed, second);
        }
    }

    // --- statistics --------------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting. While it is off nothing is stored for it.
     *
     * @param on whether to count
     */
    public void collectStats(boolean on) {
        set(COLLECTS, on);
        victims.collect(on);
        maintenance.collect(on);
    }

    /**
     * Starts the {@linkplain CacheTuning#advises estimates} of hit ratios anew, for example after the warm-up, or when
     * the load has changed: references so far no longer count. The models keep their contents.
     */
    public void resetEstimates() {
        if (advice != null) {
            advice.reset();
        }
    }

    /** {@return the statistics now} */
    public HolderCacheStats stats() {
        return maintenance.stats(hits.sum(), misses.sum(), capacity, advice == null ? List.of() : advice.estimates());
    }

    /**
     * Checks the invariants of the cache, for tests: call it while no other thread uses the cache.
     *
     * @throws IllegalStateException if one does not hold; the message says which
     */
    public void checkIntegrity() {
        IntegrityCheck.check(pool, contents);
    }

    /**
     * Fails the cache, as an error of the virtual machine in the middle of a step does: from now on every call that
     * uses holders but a release throws a {@link io.clockhand.PoolFailedException}, and threads that wait get one. For
     * an engine that has lost holders which it had pinned: after an {@link OutOfMemoryError} with the message "failed
     * reallocation of scalar replaced objects", for example, since HotSpot has run no {@code finally} block of the
     * frames that it has dropped then. A cache that has failed before stays as it is.
     *
     * @param cause why; the cause of each {@link io.clockhand.PoolFailedException}
     */
    public void fail(Throwable cause) {
        failure.fail(Objects.requireNonNull(cause, "cause"));
    }

    /** {@return whether the cache has failed} */
    PoolFailure failure() {
        return failure;
    }

    private void count(LongAdder counter) {
        if (has(COLLECTS)) {
            counter.increment();
        }
    }

    private void ensureFrames(int frames) {
        bindings.ensureFrames(frames);
        holders.ensureFrames(frames);
    }

    private boolean has(int flag) {
        return (rareWork & flag) != 0;
    }

    private void set(int flag, boolean on) {
        synchronized (rareWorkLock) {
            rareWork = on ? rareWork | flag : rareWork & ~flag;
        }
    }
}
