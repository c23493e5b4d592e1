// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counters in a store without hooks or watchers, for tools that look at every step of the code. */
final class PlainCounters implements HolderLifecycle<Integer, Counter, IOException> {
    private final AtomicLongArray store = new AtomicLongArray(3);

    @Override
    public Counter allocate() {
        return new Counter();
    }

    @Override
    public Counter load(Counter holder, Integer key) {
        holder.key = key;
        holder.value = store.get(key);
        return holder;
    }

    @Override
    public Counter create(Counter holder, Integer key, Object parameter) {
        return load(holder, key);
    }

    @Override
    public long idOf(Integer key) {
        return key % 2 == 0 ? key : key.hashCode() | Long.MIN_VALUE;
    }

    @Override
    public Integer keyOf(Counter holder) {
        return holder.key;
    }

    @Override
    public boolean isDirty(Counter holder) {
        return holder.dirty;
    }

    @Override
    public void clean(Counter holder, boolean removing) {
        holder.dirty = false;
        store.set(holder.key, holder.value);
    }

    @Override
    public void clear(Counter holder) {
        holder.key = null;
        holder.dirty = false;
    }
}
