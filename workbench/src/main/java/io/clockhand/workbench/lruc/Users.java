// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.lruc.RunAnswer.Latency;
import io.clockhand.workbench.pages.driver.Pace;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** The threads that use the pages of a pool. They fill it first, as fast as they can, and are then measured. */
final class Users extends WorkThreads<Users.User> {
    private static final double NANOS_PER_MICRO = 1_000;
    /** A latency is known to one in a hundred. */
    private static final int DIGITS = 2;
    /** References between two checks whether the pool is full. */
    private static final int CHUNK = 61;

    private static final long MISSES_PER_FRAME = 2;
    /** References for each frame in which a stream has to fill the pool. */
    private static final long PATIENCE_PER_FRAME = 2_000;

    private final ComparedPool pool;
    private final IntFunction<PageStream> streams;
    private final double rate;
    private final LongAdder misses = new LongAdder();

    /**
     * Makes the threads, which wait.
     *
     * @param streams makes the references of a thread
     * @param rate references a second that the threads attempt together once the pool is full; 0 for as many as they
     *     can
     */
    Users(ComparedPool pool, int count, IntFunction<PageStream> streams, double rate) {
        super(count);
        this.pool = pool;
        this.streams = streams;
        this.rate = rate;
    }

    /** One thread's references, and the latencies of those that are measured. */
    final class User implements WorkThreads.Worker {
        private final PageStream pages;
        private final Pace pace;
        private final Histogram missNanos = new Histogram(DIGITS);
        private final Histogram operationNanos = new Histogram(DIGITS);
        private long changes;

        private User(PageStream pages, Pace pace) {
            this.pages = pages;
            this.pace = pace;
        }

        @Override
        public int work(boolean measuring, SliceClock clock) throws IOException, InterruptedException {
            if (pace != null) {
                pace.await();
            }
            use(measuring);
            return 1;
        }

        private void use(boolean measuring) throws IOException, InterruptedException {
            long next = pages.next();
            boolean change = next < 0;
            long begin = System.nanoTime();
            boolean missed = pool.use(change ? ~next : next, change);
            long nanos = System.nanoTime() - begin;
            changes += change ? 1 : 0;
            if (missed) {
                misses.increment();
            }
            if (measuring) {
                operationNanos.recordValue(nanos);
            }
            if (measuring && missed) {
                missNanos.recordValue(nanos);
            }
        }
    }

    @Override
    protected User make(int thread) {
        double offset = (double) thread / count();
        return new User(streams.apply(thread), rate == 0 ? null : new Pace(rate / count(), offset, this::isStopped));
    }

    /**
     * Uses pages until twice as many were missed as there are frames. So no frame is free, and about as many are dirty
     * as when the pool has long been in use.
     */
    void fill(int frames, DoubleConsumer progress) throws Exception {
        await(
                begin((user, thread) -> {
                    while (!isStopped() && !isFull(frames)) {
                        for (int i = 0; i < CHUNK; i++) {
                            user.use(false);
                        }
                        publish(thread, CHUNK);
                    }
                }),
                ignored -> progress.accept(Math.min(1, (double) misses.sum() / frames / MISSES_PER_FRAME)));
        rehearsed();
    }

    private boolean isFull(int frames) throws IOException {
        long missed = misses.sum();
        boolean isPatient = done() <= PATIENCE_PER_FRAME * frames;
        if (!isPatient && missed <= frames) {
            throw new IOException(
                    "the references miss " + missed + " pages only, and do not fill a pool of " + frames + " frames");
        }
        return !isPatient || missed >= MISSES_PER_FRAME * frames; // a pool of nearly all pages has few misses
    }

    RunAnswer.Counts counts() {
        return new RunAnswer.Counts(done(), misses.sum(), pool.figures());
    }

    /** Changes of pages in the whole run. */
    long changes() {
        return workers().stream().mapToLong(user -> user.changes).sum();
    }

    /** Of the measured misses; null if there were none. */
    Latency missMicros() {
        return micros(user -> user.missNanos);
    }

    /** Of all measured references; null if there were none. */
    Latency operationMicros() {
        return micros(user -> user.operationNanos);
    }

    private Latency micros(Function<User, Histogram> nanosOf) {
        Histogram nanos = new Histogram(DIGITS);
        workers().forEach(user -> nanos.add(nanosOf.apply(user)));
        return nanos.getTotalCount() == 0
                ? null
                : new Latency(
                        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
                        nanos.getValueAtPercentile(95) / NANOS_PER_MICRO,
                        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
                        nanos.getMean() / NANOS_PER_MICRO);
    }
}
