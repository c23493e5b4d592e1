// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.pool.FramePool;
import java.util.concurrent.atomic.LongAdder;

/** Brings the holder of a key into a frame. Used by one thread, once. */
final class Miss<K, V, X extends Exception> {
    /** Returned by {@link #run} when there is nothing for the key. */
    static final int ABSENT = -3;

    private final HolderContents<K, V, X> contents;
    private final K key;
    private final long tag;
    /** Counts the loads; null while nothing is counted. */
    private final LongAdder counter;

    private final boolean creates;
    private final Object parameter;
    /** The cleared holder that the frame had before: not in the entry until it carries the key. */
    private V blank;

    /** Null if nothing is estimated. */
    private final Advice advice;

    private Entry<K, V> entry;

    Miss(HolderContents<K, V, X> contents, K key, long tag, LongAdder counter, Advice advice) {
        this(contents, key, tag, counter, advice, false, null);
    }

    /** Creates the holder of a new key. */
    static <K, V, X extends Exception> Miss<K, V, X> creating(
            HolderContents<K, V, X> contents, K key, long tag, Object parameter, Advice advice) {
        return new Miss<>(contents, key, tag, null, advice, true, parameter);
    }

    private Miss(
            HolderContents<K, V, X> contents,
            K key,
            long tag,
            LongAdder counter,
            Advice advice,
            boolean creates,
            Object parameter) {
        this.contents = contents;
        this.key = key;
        this.tag = tag;
        this.counter = counter;
        this.advice = advice;
        this.creates = creates;
        this.parameter = parameter;
    }

    /** {@return the frame of the holder, pinned and ready; or {@link FramePool#LOST}; or {@link #ABSENT}} */
    int run(HolderSearch<K, V, X> search) throws X {
        FramePool pool = contents.pool;
        int frame = admit(search);
        if (frame == FramePool.LOST) {
            return frame;
        }
        boolean loaded = false;
        try {
            loaded = load(frame);
        } finally {
            if (!loaded) {
                giveUp(frame);
            }
        }
        if (!loaded) {
            return ABSENT;
        }
        try {
            pool.publish(frame, tag, false);
        } catch (Throwable failure) {
            pool.unpin(frame);
            throw failure;
        }
        return frame;
    }

    /** {@return a frame for the key, pinned, empty and mapped; or LOST if another thread was first} */
    int admit(HolderSearch<K, V, X> search) throws X {
        contents.pool.enter();
        int frame = search.take(key, tag);
        if (frame == FramePool.LOST) {
            return frame;
        }
        bind(frame);
        contents.pool.publishPinned(frame);
        return map(frame) ? frame : FramePool.LOST;
    }

    /** {@return the holder that was loaded} */
    V holder() {
        return entry.holder;
    }

    /** Binds a claimed frame to the key; no other thread sees the frame yet. */
    private void bind(int frame) {
        try {
            contents.pool.states().setIdentity(frame, tag);
            Entry<K, V> last = contents.bindings.get(frame);
            blank = last == null ? null : last.holder;
            entry = new Entry<>(key, tag, frame);
            contents.bindings.set(frame, entry);
        } catch (Throwable failure) {
            contents.pool.release(frame);
            throw failure;
        }
    }

    /** {@return whether the key is mapped to the frame; if another thread was first, the frame is given up} */
    private boolean map(int frame) {
        boolean mapped = false;
        try {
            mapped = contents.table.putIfAbsent(entry);
        } finally {
            if (!mapped) {
                giveUp(frame);
            }
        }
        return mapped;
    }

    private boolean load(int frame) throws X {
        if (counter != null) {
            counter.increment();
        }
        if (advice != null) {
            advice.recordMiss();
        }
        if (blank == null) {
            blank = contents.lifecycle.allocate();
        }
        V loaded;
        try {
            loaded = creates ? contents.lifecycle.create(blank, key, parameter) : contents.lifecycle.load(blank, key);
        } catch (Throwable failure) {
            V unfit = blank;
            blank = null;
            clearAfter(failure, unfit);
            throw failure;
        }
        if (loaded == null) {
            V empty = blank;
            blank = null; // used again only if it can be cleared
            contents.lifecycle.clear(empty);
            blank = empty;
            return false;
        }
        entry.holder = loaded;
        contents.holders.set(frame, loaded);
        return true;
    }

    /** An exception cannot suppress itself: the lifecycle, or a JVM without memory, may throw the same one twice. */
    @SuppressWarnings("ReferenceEquality") // the very exception
    private void clearAfter(Throwable failure, V holder) {
        try {
            contents.lifecycle.clear(holder);
        } catch (RuntimeException | Error alsoFailed) {
            if (alsoFailed != failure) {
                failure.addSuppressed(alsoFailed);
            }
        }
    }

    /**
     * Unmaps the key and gives the frame up. The entry is retired: maintenance may have read it from the bindings, and
     * must not take it for the frame's next one. It is removed even if it lost, since a table may run out of memory
     * after it has taken the entry. The next miss in the frame takes the blank holder from the retired entry.
     */
    void giveUp(int frame) {
        try {
            entry.retire();
            entry.holder = blank;
            contents.table.remove(entry);
        } catch (RuntimeException | Error e) {
            contents.pool.failure().fail(e);
            throw e;
        }
        contents.pool.giveUp(frame);
    }
}
