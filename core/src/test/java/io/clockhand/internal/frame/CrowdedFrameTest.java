// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Crowds of threads that wait for one frame: all come in. In the nightly tier they are thousands, and no step may take
 * time in proportion to their number.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class CrowdedFrameTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    /** So late that only a thread that is stuck reaches it. */
    private static final long LIMIT = TimeUnit.MINUTES.toNanos(2);
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
        assertThat(done.await(LIMIT, TimeUnit.NANOSECONDS))
                .as("all threads have had the lock; %d have not", done.getCount())
                .isTrue();
        return System.nanoTime() - begin;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private long crowdOfWriters(int threads) throws Exception {
        return crowd(
                threads,
                () -> assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue(),
                () -> latches.releaseExclusive(FRAME));
    }

    @Test
    void allOfAThousandWritersOfOnePageComeIn() throws Exception {
        loadPage(FRAME);
        crowdOfWriters(1_000);
        assertThat(latches.describe(FRAME)).isEqualTo("not latched");
    }

    @Tag("nightly")
    @Test
    void fiveThousandWritersOfOnePageTakeAtMostTwiceTheTimeOfALock() throws Exception {
        loadPage(FRAME);
        Lock lock = new ReentrantLock();
        crowd(1_000, lock::lock, lock::unlock);
        long expected = Long.MAX_VALUE;
        long taken = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            expected = Math.min(expected, crowd(5_000, lock::lock, lock::unlock));
            taken = Math.min(taken, crowdOfWriters(5_000));
        }

        assertThat(taken).as("nanoseconds; a lock takes " + expected).isLessThan(2 * expected);
    }

    @Test
    void allReadersOfTwoFramesComeInAndOneThatHasNoTimeGivesUp() throws Exception {
        loadPage(FRAME);
        loadPage(NEIGHBOUR);
        wakeBesideNeighbours(2_000);
    }

    @Tag("nightly")
    @Test
    void thirtyThousandReadersAreNotDelayedByThirtyThousandOfAnotherFrame() throws Exception {
        loadPage(FRAME);
        loadPage(NEIGHBOUR);
        long late = Long.MAX_VALUE;
        long alone = Long.MAX_VALUE;
        long beside = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            alone = Math.min(alone, wake(30_000, new AtomicInteger())[1]);
            long[] times = wakeBesideNeighbours(30_000);
            late = Math.min(late, times[0]);
            beside = Math.min(beside, times[1]);
        }
        assertThat(late).as("nanoseconds of a wait of 10 ms").isBetween(10_000_000L, 200_000_000L);
        assertThat(beside)
                .as("nanoseconds; without neighbours they take " + alone)
                .isLessThan(alone + 1_000_000_000);
    }

    /** {@return as {@link #wake}, while as many readers wait for another frame, which come in then} */
    private long[] wakeBesideNeighbours(int count) throws Exception {
        assertThat(latches.tryExclusive(NEIGHBOUR)).isTrue();
        AtomicInteger in = new AtomicInteger();
        List<Thread> neighbours = startReaders(NEIGHBOUR, count, in);
        awaitParked(neighbours);
        long[] times = wake(count, in);
        latches.releaseExclusive(NEIGHBOUR);
        joinAll(neighbours);
        assertThat(in).as("readers that have come in").hasValue(2 * count);
        return times;
    }

    /** {@return the nanoseconds of a wait of 10 ms beside some readers, and those in which these are all woken} */
    private long[] wake(int count, AtomicInteger in) throws Exception {
        assertThat(latches.tryExclusive(FRAME)).isTrue();
        List<Thread> readers = startReaders(FRAME, count, in);
        awaitParked(readers);
        AtomicBoolean givenUp = new AtomicBoolean();
        Thread late = new Thread(() -> givenUp.set(!latches.acquireShared(FRAME, 10_000_000)));
        late.setDaemon(true);
        long begin = System.nanoTime();
        late.start();
        joinAll(List.of(late));
        long waited = System.nanoTime() - begin;
        assertThat(givenUp).isTrue();

        begin = System.nanoTime();
        latches.releaseExclusive(FRAME);
        joinAll(readers);
        long woken = System.nanoTime() - begin;
        assertThat(in).as("readers that have come in").hasValue(count);
        return new long[] {waited, woken};
    }

    private static void joinAll(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.NANOSECONDS.toMillis(LIMIT));
            assertThat(thread.isAlive()).as("a reader is stuck").isFalse();
        }
    }

    private List<Thread> startReaders(int frame, int count, AtomicInteger in) throws Exception {
        ThreadFactory factory = virtualThreads();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
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
        long begin = System.nanoTime();
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(System.nanoTime() - begin)
                        .as("nanoseconds in which the readers have not come to wait")
                        .isLessThan(LIMIT);
                LockSupport.parkNanos(50_000);
            }
        }
    }
}
