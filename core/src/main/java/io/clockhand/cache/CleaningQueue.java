// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Dirty holders that were in the way of a find and wait for the cleaner.
 *
 * <p>The <i>queued</i> mark in the frame's state keeps a holder from being queued twice and from being chosen as a victim
 * again. It goes when the holder has been cleaned, or when somebody claims the frame for another reason; an entry whose
 * frame has gone on is skipped. An entry that comes here without a mark costs a look and nothing else.
 */
final class CleaningQueue<K, V> {
    private static final int SHORTEST_BOUND = 8;

    private final Queue<Entry<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger length = new AtomicInteger();
    private final LongAdder cleaned = new LongAdder();
    private final int bound;
    private volatile boolean collecting;
    private volatile Runnable cleaner;

    CleaningQueue(int capacity) {
        this.bound = Math.max(SHORTEST_BOUND, capacity / 10);
    }

    /** Nudges this one from now on; null if there is no cleaner any more. */
    void use(Runnable nudged) {
        cleaner = nudged;
    }

    boolean hasCleaner() {
        return cleaner != null;
    }

    void add(Entry<K, V> entry) {
        queue.add(entry);
        length.incrementAndGet();
        Runnable nudged = cleaner;
        if (nudged != null) {
            nudged.run();
        }
    }

    /** {@return the next entry, or null} */
    Entry<K, V> poll() {
        Entry<K, V> entry = queue.poll();
        if (entry != null) {
            length.decrementAndGet();
        }
        return entry;
    }

    /** {@return whether a tenth of the cache waits here: holders that are no victims, but take up room} */
    boolean isLong() {
        return length.get() >= bound;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int length() {
        return length.get();
    }

    /** Counts a holder that came from here and was written back, while collecting. */
    void onCleaned() {
        if (collecting) {
            cleaned.increment();
        }
    }

    long cleaned() {
        return cleaned.sum();
    }

    void collect(boolean on) {
        collecting = on;
    }
}
