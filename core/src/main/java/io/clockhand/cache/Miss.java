// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.pool.FrameBinding;
import java.util.concurrent.atomic.LongAdder;

/** One key on its way into a frame. Used by one thread, once. */
final class Miss<K, V, X extends Exception> implements FrameBinding<X> {
    private final HolderContents<K, V, X> contents;
    private final K key;
    private final long tag;
    /** Counts what is loaded; null if nobody wants to know. */
    private final LongAdder counter;

    private final boolean creates;
    private final Object parameter;
    /** The holder that the frame had before, empty: not in the entry until it carries the key. */
    private V blank;

    private Entry<K, V> entry;
    private boolean live;

    Miss(HolderContents<K, V, X> contents, K key, long tag, LongAdder counter) {
        this(contents, key, tag, counter, false, null);
    }

    /** Of a key whose holder is made anew. */
    static <K, V, X extends Exception> Miss<K, V, X> creating(
            HolderContents<K, V, X> contents, K key, long tag, Object parameter) {
        return new Miss<>(contents, key, tag, null, true, parameter);
    }

    private Miss(
            HolderContents<K, V, X> contents, K key, long tag, LongAdder counter, boolean creates, Object parameter) {
        this.contents = contents;
        this.key = key;
        this.tag = tag;
        this.counter = counter;
        this.creates = creates;
        this.parameter = parameter;
    }

    /** {@return what the miss brought} */
    V holder() {
        return entry.holder;
    }

    @Override
    public void bind(int frame) {
        Entry<K, V> last = contents.bindings.get(frame);
        blank = last == null ? null : last.holder;
        entry = new Entry<>(key, tag, frame);
        contents.bindings.set(frame, entry);
    }

    /**
     * An entry that lost is retired: maintenance may have met it in the bindings, and must not take it for the next one
     * of the frame. It is unmapped, too, since a table may run out of memory after it has taken the entry.
     */
    @Override
    public boolean map(int frame) {
        boolean mapped = false;
        try {
            mapped = contents.table.putIfAbsent(entry);
        } finally {
            if (!mapped) {
                unmap(frame);
            }
        }
        return mapped;
    }

    @Override
    public boolean load(int frame) throws X {
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
            blank = null; // not fit to be used again unless it can be cleared
            contents.lifecycle.clear(empty);
            blank = empty;
            return false;
        }
        entry.holder = loaded;
        contents.holders.set(frame, loaded);
        live = true;
        return true;
    }

    private void clearAfter(Throwable failure, V holder) {
        try {
            contents.lifecycle.clear(holder);
        } catch (RuntimeException | Error alsoFailed) {
            failure.addSuppressed(alsoFailed);
        }
    }

    /** The next miss in the frame finds the blank holder in the retired entry. */
    @Override
    public void unmap(int frame) {
        boolean cleared = false;
        contents.holders.set(frame, null);
        try {
            if (live) {
                contents.lifecycle.clear(entry.holder);
            }
            cleared = true;
        } finally {
            entry.retire();
            if (!live) {
                entry.holder = blank;
            } else if (!cleared) {
                entry.holder = null;
            }
            contents.table.remove(entry);
        }
    }
}
