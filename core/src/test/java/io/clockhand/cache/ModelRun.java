// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Many threads do random things to a cache of counters over a store that fails now and then, and every result is
 * compared with a model: the number of increments of each key.
 *
 * <ul>
 * <li>a load finds the number of increments so far in the store: no dirty holder was lost, and none was loaded before
 *     the write-back of a dirty copy had ended;
 * <li>a pinned holder has its key and at least the value that this thread saw last;
 * <li>a key has one holder at a time, cleared in between ({@link Counters} checks that);
 * <li>at the end no pin is left, the integrity holds, and the store has everything.
 * </ul>
 *
 * The highest keys are discarded at times, so their values are not checked.
 */
final class ModelRun {
    private static final int THREADS = 16;
    private static final int KEYS = 32;
    private static final int STRICT_KEYS = 26;
    private static final int MOST_PINNED = 3;

    private final HolderCache<Integer, Counter, IOException> cache;
    private final Counters counters;
    private final long seed;
    private final AtomicLongArray increments = new AtomicLongArray(KEYS);
    private final AtomicIntegerArray removing = new AtomicIntegerArray(KEYS);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicBoolean storeFails = new AtomicBoolean(true);
    private final Semaphore nudges = new Semaphore(0);
    private final LongAdder progress = new LongAdder();
    private volatile boolean hasFailed;
    private int steps;
    private long notBefore;

    ModelRun(HolderCache<Integer, Counter, IOException> cache, Counters counters, long seed) {
        this.cache = cache;
        this.counters = counters;
        this.seed = seed;
        counters.onEvery(Step.CLEAN, () -> failAtTimes(100));
        counters.onEvery(Step.LOAD, () -> failAtTimes(200));
        for (int key = 0; key < STRICT_KEYS; key++) {
            int of = key;
            counters.on(Step.LOAD, key, () -> expectStored(of));
        }
    }

    /** Lets each thread do some steps, and more for a time; throws an AssertionError if the model was contradicted. */
    void run(int stepsEach, double leastSeconds, boolean withCleaner) throws InterruptedException, IOException {
        steps = stepsEach;
        notBefore = System.nanoTime() + (long) (leastSeconds * TimeUnit.SECONDS.toNanos(1));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(seed + i);
            threads.add(start(() -> new Actor(random).act()));
        }
        Thread cleaner = withCleaner ? start(this::clean) : null;
        if (withCleaner) {
            cache.useCleaner(nudges::release);
        }
        awaitEnd(threads);
        if (cleaner != null) {
            nudges.release();
            join(cleaner);
        }
        expectNothing();
        storeFails.set(false);
        expectComplete();
    }

    /** Not by joins alone: a failed thread may have left pins that others wait for. */
    private void awaitEnd(List<Thread> threads) throws InterruptedException {
        long before = -1;
        long since = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            expectNothing();
            for (Thread thread : threads) {
                if (thread.isAlive()) {
                    thread.join(5);
                    break;
                }
            }
            long now = progress.sum();
            if (now != before) {
                before = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > Workers.LIMIT.toNanos()) {
                threads.stream().filter(Thread::isAlive).forEach(this::failAsStuck);
            }
        }
        stop.set(true);
        expectNothing();
    }

    private void expectComplete() throws IOException {
        cache.checkIntegrity();
        expect(cache.stats().pinned() == 0, cache.stats().pinned() + " holders are still pinned");
        cache.cleanAll();
        for (int key = 0; key < STRICT_KEYS; key++) {
            expectStored(key);
        }
        cache.close();
        cache.checkIntegrity();
        expectNothing();
    }

    private void expectStored(int key) {
        long stored = counters.stored(key);
        long expected = increments.get(key);
        if (stored != expected) {
            counters.violations.add("key " + key + " was incremented " + expected + " times, the store has " + stored);
        }
    }

    private void failAtTimes(int oneIn) throws IOException {
        if (hasFailed) {
            throw new IllegalStateException("the run has failed"); // or a broken cache could go on for ever
        }
        if (storeFails.get() && ThreadLocalRandom.current().nextInt(oneIn) == 0) {
            throw new IOException("now and then");
        }
    }

    private Thread start(Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable failure) {
                        failures.add(failure);
                        stop.set(true);
                    }
                },
                "model");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void clean() {
        while (!stop.get()) {
            try {
                if (nudges.tryAcquire(10, TimeUnit.MILLISECONDS)) {
                    cache.cleanQueued(4);
                }
            } catch (IOException e) {
                // stays dirty, and will be queued again
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void join(Thread thread) throws InterruptedException {
        thread.join(Workers.LIMIT.toMillis());
        if (thread.isAlive()) {
            failAsStuck(thread);
        }
    }

    private void failAsStuck(Thread thread) {
        AssertionError stuck = new AssertionError("seed " + seed + ": a thread is stuck");
        stuck.setStackTrace(thread.getStackTrace());
        stop.set(true);
        throw stuck;
    }

    private void expectNothing() {
        if (failures.isEmpty() && counters.violations.isEmpty()) {
            return;
        }
        hasFailed = true;
        stop.set(true);
        Throwable first = failures.peek();
        throw first != null
                ? new AssertionError("seed " + seed + ": " + first, first)
                : new AssertionError("seed " + seed + ": " + String.join("; ", counters.violations));
    }

    private void expect(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ": " + message);
        }
    }

    /** One thread: the holders that it has pinned, and its next step. */
    private final class Actor {
        private final SplittableRandom random;
        private final Deque<Counter> pinned = new ArrayDeque<>();
        private final Deque<Integer> pinnedKeys = new ArrayDeque<>();

        Actor(SplittableRandom random) {
            this.random = random;
        }

        void act() {
            for (int done = 0; !stop.get() && (done < steps || System.nanoTime() - notBefore < 0); done++) {
                progress.increment();
                try {
                    step(random.nextInt(1000), random.nextInt(KEYS));
                } catch (IOException e) {
                    // the store failed: the holder is where it was
                }
            }
            while (!pinned.isEmpty()) {
                release();
            }
        }

        private void step(int choice, int key) throws IOException {
            if (pinned.size() >= MOST_PINNED || (choice < 400 && !pinned.isEmpty())) {
                release();
            } else if (choice < 800) {
                pin(cache.find(key), key);
            } else if (choice < 880) {
                pin(cache.findCached(key), key);
            } else if (choice < 920) {
                create(key);
            } else if (choice < 960) {
                remove(key);
            } else if (choice < 975) {
                cache.cleanMatching(k -> k == key);
            } else if (choice < 980) {
                cache.cleanAll();
            } else if (choice < 990) {
                cache.discard(k -> k >= STRICT_KEYS && k <= key);
            } else if (choice < 995) {
                cache.evictClean();
            } else {
                expect(!cache.values().contains(null), "nothing among the values");
            }
        }

        private void pin(Counter counter, int key) {
            if (counter == null) {
                return;
            }
            expectKey(counter, key);
            pinned.push(counter);
            pinnedKeys.push(key);
            if (random.nextInt(3) == 0) {
                increment(counter, key);
            }
        }

        private void increment(Counter counter, int key) {
            synchronized (counter) {
                long value = counter.value;
                expect(
                        key >= STRICT_KEYS || value == increments.get(key),
                        "key " + key + " has " + value + " after " + increments.get(key) + " increments");
                increments.incrementAndGet(key);
                counter.set(value + 1);
            }
        }

        private void expectKey(Counter counter, int key) {
            Integer has = counter.key;
            expect(has != null && has == key, "a pinned holder of key " + key + " has the key " + has);
        }

        private void release() {
            Counter counter = pinned.pop();
            expectKey(counter, pinnedKeys.pop());
            cache.release(counter);
        }

        private void create(int key) throws IOException {
            try {
                pin(cache.create(key, Counters.AS_STORED), key);
            } catch (KeyExistsException e) {
                // another thread has created it, or is about to
            }
        }

        /** Two removers of one holder would wait for each other, and so would two that have pinned other holders. */
        private void remove(int key) throws IOException {
            while (!pinned.isEmpty()) {
                release();
            }
            if (!removing.compareAndSet(key, 0, 1)) {
                return;
            }
            try {
                Counter counter = cache.find(key);
                expectKey(counter, key);
                cache.remove(counter);
            } finally {
                removing.set(key, 0);
            }
        }
    }
}
