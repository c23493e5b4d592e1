// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Thousands of threads that wait for one frame: no step may take time in proportion to their number. */
class CrowdedFrameTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);
    /** Runs of each, in turn; the least time of each counts, since other programs take processors. */
    private static final int ROUNDS = 3;

    private static final int FRAME = 5;
    /** In the same stripe as {@link #FRAME}. */
    private static final int NEIGHBOUR = FRAME + 32;

    private final FrameStates states = new FrameStates(64, true);
    private final Latches latches = new Latches(states, 64);

    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }

    private void loadPage(int frame) {
        states.tryTakeFree(frame);
        states.publishPinned(frame, 0);
        states.ready(frame);
    }

    /** {@return nanoseconds until each of some threads has had the lock for 100 µs} */
    private static long crowd(int threads, Runnable lock, Runnable unlock) throws Exception {
        ThreadFactory factory = virtualThreads();
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            factory.newThread(() -> {
                        await(start);
                        lock.run();
                        long end = System.nanoTime() + 100_000;
                        while (System.nanoTime() < end) {
                            Thread.onSpinWait();
                        }
                        unlock.run();
                        done.countDown();
                    })
                    .start();
        }
        long begin = System.nanoTime();
        start.countDown();
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        return System.nanoTime() - begin;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void fiveThousandWritersOfOnePageTakeAtMostTwiceTheTimeOfALock() throws Exception {
        loadPage(FRAME);
        Lock lock = new ReentrantLock();
        crowd(1_000, lock::lock, lock::unlock);
        long expected = Long.MAX_VALUE;
        long taken = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            expected = Math.min(expected, crowd(5_000, lock::lock, lock::unlock));
            taken = Math.min(
                    taken,
                    crowd(
                            5_000,
                            () -> assertThat(latches.acquireExclusive(FRAME, LONG))
                                    .isTrue(),
                            () -> latches.releaseExclusive(FRAME)));
        }

        assertThat(taken).as("nanoseconds; a lock takes " + expected).isLessThan(2 * expected);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void thirtyThousandReadersAreNotDelayedByThirtyThousandOfAnotherFrame() throws Exception {
        loadPage(FRAME);
        loadPage(NEIGHBOUR);
        long late = Long.MAX_VALUE;
        long alone = Long.MAX_VALUE;
        long beside = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            alone = Math.min(alone, wake(new AtomicInteger())[1]);
            assertThat(latches.tryExclusive(NEIGHBOUR)).isTrue();
            AtomicInteger in = new AtomicInteger();
            List<Thread> neighbours = startReaders(NEIGHBOUR, in);
            awaitParked(neighbours);
            long[] times = wake(in);
            late = Math.min(late, times[0]);
            beside = Math.min(beside, times[1]);
            latches.releaseExclusive(NEIGHBOUR);
            for (Thread reader : neighbours) {
                reader.join();
            }
            assertThat(in).hasValue(60_000);
        }
        assertThat(late).as("nanoseconds of a wait of 10 ms").isBetween(10_000_000L, 200_000_000L);
        assertThat(beside)
                .as("nanoseconds; without neighbours they take " + alone)
                .isLessThan(alone + 1_000_000_000);
    }

    /** {@return the nanoseconds of a wait of 10 ms beside 30 000 readers, and those in which these are all woken} */
    private long[] wake(AtomicInteger in) throws Exception {
        assertThat(latches.tryExclusive(FRAME)).isTrue();
        List<Thread> readers = startReaders(FRAME, in);
        awaitParked(readers);
        Thread late = new Thread(
                () -> assertThat(latches.acquireShared(FRAME, 10_000_000)).isFalse());
        long begin = System.nanoTime();
        late.start();
        late.join();
        long waited = System.nanoTime() - begin;

        begin = System.nanoTime();
        latches.releaseExclusive(FRAME);
        for (Thread reader : readers) {
            reader.join();
        }
        long woken = System.nanoTime() - begin;
        assertThat(in).hasValue(30_000);
        return new long[] {waited, woken};
    }

    private List<Thread> startReaders(int frame, AtomicInteger in) throws Exception {
        ThreadFactory factory = virtualThreads();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            Thread reader = factory.newThread(() -> {
                assertThat(latches.acquireShared(frame, LONG)).isTrue();
                in.incrementAndGet();
                latches.releaseShared(frame);
            });
            readers.add(reader);
            reader.start();
        }
        return readers;
    }

    private static void awaitParked(List<Thread> threads) {
        long deadline = System.nanoTime() + LONG;
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(50_000);
            }
        }
    }
}
