// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.cache.Counters.Step;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The real cache as a store of counters. */
final class HolderCounters implements CounterStore {
    final HolderCache<Integer, Counter, IOException> cache;

    HolderCounters(HolderCache<Integer, Counter, IOException> cache) {
        this.cache = cache;
        cache.collectStats(true);
    }

    private Counter find(int key) {
        try {
            return cache.find(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long read(int key) {
        Counter counter = find(key);
        long value = counter.value;
        cache.release(counter);
        return value;
    }

    @Override
    public long inc(int key) {
        Counter counter = find(key);
        long value;
        synchronized (counter) {
            value = counter.value + 1;
            counter.set(value);
        }
        cache.release(counter);
        return value;
    }

    @Override
    public void pin(int key) {
        find(key);
    }

    @Override
    public void discard(int key) {
        cache.discard(k -> k == key);
    }

    @Override
    public void flush() {
        try {
            cache.cleanAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long evictions() {
        return cache.stats().evictions();
    }

    @Override
    public Step evicted() {
        return Step.CLEAR;
    }

    @Override
    public Step publishing() {
        return Step.LOAD;
    }
}
