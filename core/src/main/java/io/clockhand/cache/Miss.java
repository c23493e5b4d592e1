// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.pool.FramePool;
import java.util.concurrent.atomic.LongAdder;

/**
 * The miss of an object, from top to bottom: {@link HolderSearch#take a frame}; {@link HolderContents#map its holder is
 * cleared, its key unmapped, and the new key mapped}; {@link HolderLifecycle#load loaded}; {@link FramePool#publish
 * published}. Each class is entered once, and takes its own step back if that fails; what a failure after the mapping
 * takes back is here. Used by one thread, once.
 */
final class Miss<K, V, X extends Exception> {
    /** Returned by {@link #run} when there is nothing for the key. */
    static final int ABSENT = -3;

    private final HolderContents<K, V, X> contents;
    final K key;
    final long tag;
    /** Counts the loads; null while nothing is counted. */
    private final LongAdder counter;

    private final boolean creates;
    private final Object parameter;
    /** The cleared holder that the frame had before: not in the entry until it carries the key. */
    V blank;

    /** Null if nothing is estimated. */
    private final Advice advice;

    Entry<K, V> entry;

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
        int frame = search.take(key, tag);
        if (frame != FramePool.LOST) {
            frame = contents.map(frame, this);
        }
        if (frame == FramePool.LOST) {
            return frame;
        }
        FramePool pool = contents.pool;
        boolean loaded = false;
        boolean published = false;
        try {
            loaded = load(frame);
            if (loaded) {
                pool.publish(frame, tag, false);
                published = true;
            }
        } finally {
            if (!loaded) {
                contents.giveUp(frame, this);
            } else if (!published) {
                pool.unpin(frame);
            }
        }
        return loaded ? frame : ABSENT;
    }

    /** {@return the holder that was loaded} */
    V holder() {
        return entry.holder;
    }

    private boolean load(int frame) throws X {
        if (counter != null) {
            counter.increment();
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
        if (advice != null) {
            advice.recordMiss(); // not for a key without an object, which no cache of any size would find
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
        } catch (Throwable alsoFailed) {
            if (alsoFailed != failure) {
                failure.addSuppressed(alsoFailed);
            }
        }
    }
}
