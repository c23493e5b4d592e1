// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.PageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The part of {@link PageStoreContract} on threads that use a store at the same time, and on interrupts. */
abstract class PageStoreThreadsContract extends PageStoreFixture {
    private static final int THREADS = 4;
    /** So late that only a thread that hangs reaches it. */
    private static final long LIMIT_SECONDS = 120;

    /**
     * {@return the number of reads, writes or interrupts of each thread in tests where threads use the store together}
     * 300 by default.
     */
    protected int stepsOfAThread() {
        return 300;
    }

    // --- threads -----------------------------------------------------------------------------------------------------

    @Test
    void oneOwnerTakesTheStore() throws Exception {
        try (PageStore store = open()) {
            AtomicInteger owners = new AtomicInteger();
            atOnce(thread -> owners.addAndGet(store.tryOwn() ? 1 : 0));

            assertThat(owners).hasValue(1);
            assertThat(store.tryOwn()).isFalse();
        }
    }

    @Test
    void threadsExtendTheStoreTogether() throws Exception {
        int pages = 50 * THREADS;
        try (PageStore store = open()) {
            atOnce(thread -> {
                long before = 0;
                for (int page = thread; page < pages; page += THREADS) {
                    write(store, page, page);
                    long now = store.pages();
                    assertThat(now).as("the length").isGreaterThanOrEqualTo(Math.max(before, page + 1));
                    before = now;
                }
                return null;
            });
            assertThat(store.pages()).isEqualTo(pages);
            for (int page = 0; page < pages; page++) {
                assertThat(read(store, page)).isEqualTo(page);
            }
        }
    }

    @Test
    void threadsReadAndWriteTheirPagesWithoutMixingThem() throws Exception {
        int steps = stepsOfAThread();
        try (PageStore store = open()) {
            atOnce(thread -> {
                SplittableRandom random = new SplittableRandom(thread);
                long[] written = new long[8];
                for (int step = 0; step < steps; step++) {
                    int slot = random.nextInt(written.length);
                    long page = thread + (long) THREADS * slot;
                    if (written[slot] == 0 || random.nextBoolean()) {
                        written[slot] = random.nextLong();
                        write(store, page, written[slot]);
                    } else {
                        assertThat(read(store, page)).isEqualTo(written[slot]);
                    }
                    if (step % 100 == 0) {
                        store.force();
                    }
                }
                return null;
            });
        }
    }

    @Test
    void threadsReadOnePageTogether() throws Exception {
        int steps = stepsOfAThread();
        try (PageStore store = open()) {
            write(store, 0, 5);
            atOnce(thread -> {
                for (int step = 0; step < steps; step++) {
                    assertThat(read(store, 0)).isEqualTo(5);
                }
                return null;
            });
        }
    }

    /** A store that reads a run at a position of its own must not let two threads move that. */
    @Test
    void threadsReadRunsTogether() throws Exception {
        int pages = 64;
        int steps = stepsOfAThread();
        try (PageStore store = open()) {
            for (int page = 0; page < pages; page++) {
                write(store, page, page);
            }
            atOnce(thread -> {
                SplittableRandom random = new SplittableRandom(thread);
                for (int step = 0; step < steps; step++) {
                    int count = 1 + random.nextInt(8);
                    int first = random.nextInt(pages - count);
                    assertThat(readRun(store, first, count))
                            .as("pages from %d on", first)
                            .isEqualTo(first);
                }
                return null;
            });
        }
    }

    // --- interrupts --------------------------------------------------------------------------------------------------

    @Test
    void interruptedThreadFinishesItsCallAndStaysInterrupted() throws Exception {
        try (PageStore store = open()) {
            onItsOwnThread(() -> {
                write(store, 0, 4);
                interrupted(() -> write(store, 1, 5));
                interrupted(() -> assertThat(read(store, 1)).isEqualTo(5));
                interrupted(() -> assertThat(readRun(store, 0, 2)).isEqualTo(4));
                interrupted(store::force);
                interrupted(() -> store.writeRun(0, run(true, 2, 3)));
                interrupted(() -> store.extend(3));
                interrupted(() -> assertThat(store.pages()).isEqualTo(3));
                interrupted(() -> store.truncate(2));
                assertThat(read(store, 1)).isEqualTo(4);
                interrupted(() -> assertThat(store.pages()).isEqualTo(2));
                interrupted(() -> store.truncate(1));
                assertThat(store.pages()).isEqualTo(1);
                interrupted(store::delete);
                return null;
            });
        }
    }

    @Test
    void interruptsOfSomeThreadsDisturbNeitherThemNorOthers() throws Exception {
        int pages = 16;
        int interrupts = 3 * stepsOfAThread();
        try (PageStore store = open()) {
            for (int page = 0; page < pages; page++) {
                write(store, page, page);
            }
            CountDownLatch over = new CountDownLatch(1);
            List<Worker<Integer>> readers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                readers.add(new Worker<>(() -> {
                    int reads = 0;
                    boolean isLast;
                    do {
                        isLast = over.getCount() == 0; // so that there is a read after the last interrupt
                        assertThat(read(store, reads % pages)).isEqualTo(reads % pages);
                        assertThat(readRun(store, reads % 8, 8)).isEqualTo(reads % 8);
                        reads++;
                    } while (!isLast);
                    return reads;
                }));
            }
            try {
                for (int i = 0; i < interrupts; i++) {
                    readers.get(i % (THREADS / 2)).thread.interrupt(); // the other half are bystanders
                    assertThat(read(store, i % pages)).isEqualTo(i % pages);
                }
            } finally {
                over.countDown();
            }
            for (Worker<Integer> reader : readers) {
                assertThat(reader.result()).isPositive();
            }
        }
    }

    // --- helpers -----------------------------------------------------------------------------------------------------

    private interface Work {
        void run() throws Exception;
    }

    private interface WorkOf<T> {
        T run(int thread) throws Exception;
    }

    private static final class Worker<T> {
        private final FutureTask<T> task;
        private final Thread thread;

        Worker(Callable<T> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task, "page store contract");
            thread.setDaemon(true); // a test that fails leaves no thread that keeps the JVM alive
            thread.start();
        }

        T result() throws Exception {
            try {
                return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                AssertionError stuck = new AssertionError("a thread does not end within " + LIMIT_SECONDS + " s", e);
                stuck.setStackTrace(thread.getStackTrace());
                throw stuck;
            }
        }
    }

    private static <T> void atOnce(WorkOf<T> work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Worker<T>> workers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            workers.add(new Worker<>(() -> {
                start.await();
                return work.run(number);
            }));
        }
        start.countDown();
        for (Worker<T> worker : workers) {
            worker.result();
        }
    }

    private static void onItsOwnThread(Callable<Void> work) throws Exception {
        new Worker<>(work).result();
    }

    private static void interrupted(Work work) throws Exception {
        Thread.currentThread().interrupt();
        work.run();
        assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
    }
}
