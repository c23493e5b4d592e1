// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More threads than frames, each of which holds a page for a while: they wait for frames in turn, so each comes to its
 * end, and, as the nightly tests measure, the longest wait is at most ten times the mean.
 * {@code -Dclockhand.pool.seconds=60} measures for longer, and is for a machine with nothing else to do: from
 * {@link #SECONDS_OF_A_LONG_RUN} seconds on the bound is taken as it stands. In a shorter run the longest pause of a
 * thread that does nothing else is taken off the longest wait.
 */
@Tag("both-tables")
class CrowdedPoolTest {
    private static final int SECONDS = Integer.getInteger("clockhand.pool.seconds", 2);
    private static final int SECONDS_OF_A_LONG_RUN = 30;
    private static final double MOST_SECONDS_TO_BEGIN = 4;
    /** A thread waits for others in front of it, each of which may wait for a processor. */
    private static final int PAUSES_IN_A_WAIT = 4;

    private static final long HOLD_NANOS = 10_000_000;
    private static final int FIXES_EACH = Tier.pick(20, 100, 1_000);

    /** The fixes of a crowd of threads, and how long they have waited. */
    private static final class Run {
        final AtomicLong fixes = new AtomicLong();
        final AtomicLong waited = new AtomicLong();
        final AtomicLong longest = new AtomicLong();
        final AtomicReference<Throwable> failure = new AtomicReference<>();

        private final BufferPool pool;
        private final PagedFile file;
        private final long pages;
        private volatile long end;

        Run(int frames, String policy, long pages) throws IOException {
            this.pages = pages;
            pool = Pools.builder()
                    .pageBytes(StampedStore.PAGE_BYTES)
                    .frames(frames)
                    .policy(policy)
                    .build();
            file = pool.open(0, new StampedStore(pages));
        }

        /** Lets each thread fix some pages, and hold each for a moment. */
        void fixSome(ThreadFactory factory, int threads) throws Exception {
            Crowd crowd = new Crowd(FIXES_EACH).withoutInterrupts();
            crowd.run(
                    factory,
                    threads,
                    (thread, random) -> crowd.repeat(() -> {
                        try (PageGuard guard = pool.fix(file.id(random.nextLong(pages)))) {
                            expectRight(guard);
                            LockSupport.parkNanos(1); // others come meanwhile
                        }
                    }));
        }

        private void expectRight(PageGuard guard) {
            assertThat(guard.getLong(0)).isEqualTo(StampedStore.stamp(PageId.page(guard.id())));
        }

        /** {@return fixes per second} */
        double run(ThreadFactory factory, int threads, double seconds) throws Exception {
            List<Thread> running = new ArrayList<>();
            end = Long.MAX_VALUE;
            for (int i = 0; i < threads; i++) {
                int seed = i;
                running.add(factory.newThread(() -> work(new SplittableRandom(seed))));
            }
            running.forEach(Thread::start);
            LockSupport.parkNanos((long) (Math.min(seconds / 2, MOST_SECONDS_TO_BEGIN) * 1e9)); // until all are there
            long begin = System.nanoTime();
            long before = fixes.get();
            longest.set(0); // the first fixes load classes
            LockSupport.parkNanos((long) (seconds * 1e9));
            double rate = (fixes.get() - before) * 1e9 / (System.nanoTime() - begin);
            end = System.nanoTime();
            for (Thread thread : running) {
                thread.join();
            }
            return rate;
        }

        private void work(SplittableRandom random) {
            try {
                while (end == Long.MAX_VALUE || System.nanoTime() - end < 0) {
                    long page = random.nextLong(pages);
                    long begin = System.nanoTime();
                    try (PageGuard guard = pool.fix(file.id(page))) {
                        long wait = System.nanoTime() - begin;
                        expectRight(guard);
                        waited.addAndGet(wait);
                        longest.accumulateAndGet(wait, Math::max);
                        fixes.incrementAndGet();
                        LockSupport.parkNanos(HOLD_NANOS);
                    }
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }

        void close() throws IOException {
            assertThat(failure.get()).isNull();
            pool.checkIntegrity();
            assertThat(pool.stats().pinned()).isZero();
            pool.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "lru", "lirs"})
    void eightThreadsWithFourFramesAllComeToTheirEnd(String policy) throws Exception {
        Run run = new Run(4, policy, 100);
        run.fixSome(Thread::new, 8);
        run.close();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void manyVirtualThreadsAllComeToTheirEnd() throws Exception {
        Run run = new Run(100, "nb-gclock3", 2_000);
        run.fixSome(virtual(), Tier.pick(1_000, 10_000, 20_000));
        run.close();
    }

    @Test
    @Tag("nightly")
    void eightThreadsWithFourFramesWaitInTurn() throws Exception {
        for (String policy : List.of("nb-gclock3", "lru", "lirs")) {
            Run run = new Run(4, policy, 100);
            AtomicLong pause = new AtomicLong();
            Thread control = new Thread(() -> measurePauses(run, pause));
            control.start();

            run.run(Thread::new, 8, SECONDS);

            control.join();
            run.close();
            long mean = run.waited.get() / run.fixes.get();
            long excused = SECONDS < SECONDS_OF_A_LONG_RUN ? PAUSES_IN_A_WAIT * pause.get() : 0;
            assertThat(run.longest.get() - excused)
                    .as(
                            "%s: the longest wait, %d ns, but for pauses of the machine, %d of %d; the mean is %d",
                            policy, run.longest.get(), excused, pause.get(), mean)
                    .isLessThanOrEqualTo(10 * mean);
        }
    }

    /** How long a thread that is due must wait for a processor at most: a loaded machine delays every thread. */
    private static void measurePauses(Run run, AtomicLong longest) {
        while (run.end == 0 || run.end == Long.MAX_VALUE) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(1_000_000);
            long pause = System.nanoTime() - begin - 1_000_000;
            longest.accumulateAndGet(pause, Math::max);
        }
    }

    private static ThreadFactory virtual() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }

    @Test
    @Tag("nightly")
    @EnabledForJreRange(min = JRE.JAVA_21)
    void twentyThousandThreadsAreServedLikeFewer() throws Exception {
        ThreadFactory virtual = virtual();
        double few = 0;
        double many = 0;
        for (int round = 0; round < 3; round++) { // in turn, since other programs slow both down
            Run fits = new Run(1_000, "nb-gclock3", 20_000);
            few = Math.max(few, fits.run(virtual, 900, SECONDS));
            fits.close();
            Run crowd = new Run(1_000, "nb-gclock3", 20_000);
            many = Math.max(many, crowd.run(virtual, 20_000, SECONDS));
            crowd.close();
        }
        double share = SECONDS < SECONDS_OF_A_LONG_RUN ? 0.4 : 0.7; // other programs may take the processors in between
        assertThat(many).as("fixes per second; 900 threads make " + few).isGreaterThanOrEqualTo(share * few);
    }
}
