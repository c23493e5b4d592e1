// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.cache.Counters.Step;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The algorithm as it was published (ICDE 2010, Fig. 2, 3 and 6), <b>with its faults</b>, so that the tests can show
 * that they would see them. The faults are numbered at the lines that have them:
 *
 * <ol>
 * <li>a dirty victim is unmapped first and written afterwards;
 * <li>a frame that takes the place of an evicted one is published before the value is carried over;
 * <li>who loses the race on a key has evicted a victim for nothing, and its frame stays in the pool;
 * <li>if all frames are pinned the sweep has no end (here it gives up with {@link EndlessSweep} after a million steps);
 * <li>(to 6: see the policy tests)
 * <li>unpin does not check whether there is a pin; discard leaves the mapping; purging reads a value that may be null;
 * <li>the hand is an int that overflows.
 * </ol>
 */
final class PublishedCache implements CounterStore {
    /** A sweep that would never end. */
    static final class EndlessSweep extends AssertionError {
        private static final long serialVersionUID = 1L;

        EndlessSweep() {
            super("the sweep has no end");
        }
    }

    /** The frame of a key for ever; −1 pins: evicted. */
    static final class Frame {
        final int key;
        final AtomicInteger pins = new AtomicInteger();
        final AtomicInteger weight = new AtomicInteger(1);
        final AtomicReference<Counter> value = new AtomicReference<>();

        Frame(int key) {
            this.key = key;
        }

        boolean pin() {
            for (; ; ) {
                int n = pins.get();
                if (n == -1) {
                    return false;
                }
                if (pins.compareAndSet(n, n + 1)) {
                    weight.incrementAndGet();
                    return true;
                }
            }
        }

        void unpin() {
            pins.decrementAndGet(); // fault 7
        }

        boolean tryEvict() {
            return pins.compareAndSet(0, -1);
        }
    }

    private static final int MOST_STEPS = 1_000_000;

    private final Counters counters;
    private final ConcurrentMap<Integer, Frame> table = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<Frame> pool;
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger hand;
    private final AtomicInteger evictions = new AtomicInteger();

    PublishedCache(int capacity, Counters counters, int handAt) {
        this.pool = new AtomicReferenceArray<>(capacity);
        this.counters = counters;
        this.hand = new AtomicInteger(handAt);
    }

    private Frame fix(int key) {
        for (; ; ) {
            Frame found = table.get(key);
            if (found != null && found.pin()) {
                pageIn(found);
                return found;
            }
            Frame frame = new Frame(key);
            frame.pin();
            add(frame);
            if (found == null) {
                if (table.putIfAbsent(key, frame) == null) {
                    pageIn(frame);
                    return frame;
                }
            } else if (table.replace(key, found, frame)) {
                counters.runUnchecked(Step.CARRY, key);
                frame.value.set(found.value.get()); // fault 2
                pageIn(frame);
                return frame;
            }
            frame.unpin(); // fault 3
        }
    }

    private void pageIn(Frame frame) {
        if (frame.value.get() == null) {
            counters.runUnchecked(Step.LOAD, frame.key);
            Counter read = new Counter();
            read.key = frame.key;
            read.value = counters.stored(frame.key);
            frame.value.compareAndSet(null, read);
        }
    }

    private void add(Frame frame) {
        int slot = used.get();
        while (slot < pool.length()) {
            if (used.compareAndSet(slot, slot + 1)) {
                pool.set(slot, frame);
                return;
            }
            slot = used.get();
        }
        swap(frame);
    }

    private void swap(Frame frame) {
        for (int steps = 0; steps < MOST_STEPS; steps++) { // fault 4: for (;;)
            int slot = hand.getAndIncrement() % pool.length(); // fault 8
            Frame victim = pool.get(slot);
            if (victim == null || victim.pins.get() > 0) {
                continue;
            }
            if (victim.pins.get() == -1) {
                if (pool.compareAndSet(slot, victim, frame)) {
                    return;
                }
            } else if (victim.weight.decrementAndGet() <= 0 && victim.tryEvict()) {
                counters.runUnchecked(Step.EVICTED, victim.key);
                evictions.incrementAndGet();
                boolean taken = pool.compareAndSet(slot, victim, frame);
                purge(victim);
                if (taken) {
                    return;
                }
            }
        }
        throw new EndlessSweep();
    }

    private void purge(Frame victim) {
        table.remove(victim.key, victim); // fault 1
        Counter value = victim.value.get();
        if (value != null) {
            write(value);
        }
    }

    private void write(Counter value) {
        if (value.dirty) {
            counters.runUnchecked(Step.CLEAN, value.key);
            value.dirty = false;
            counters.store.put(value.key, value.value);
        }
    }

    @Override
    public long read(int key) {
        Frame frame = fix(key);
        long value = frame.value.get().value;
        frame.unpin();
        return value;
    }

    @Override
    public long inc(int key) {
        Frame frame = fix(key);
        Counter counter = frame.value.get();
        long value;
        synchronized (counter) {
            value = counter.value + 1;
            counter.set(value);
        }
        frame.unpin();
        return value;
    }

    @Override
    public void pin(int key) {
        fix(key);
    }

    @Override
    public void discard(int key) {
        Frame frame = table.get(key);
        if (frame != null) {
            frame.tryEvict(); // fault 7
        }
    }

    @Override
    public void flush() {
        for (int slot = 0; slot < used.get(); slot++) {
            write(pool.get(slot).value.get()); // fault 7
        }
    }

    @Override
    public long evictions() {
        return evictions.get();
    }

    @Override
    public Step evicted() {
        return Step.EVICTED;
    }

    @Override
    public Step publishing() {
        return Step.CARRY;
    }
}
