// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** The threads that use the pages of a pool. They fill it first, as fast as they can, and are then measured. */
final class Users extends WorkThreads<Users.User> {
    /** References between two checks whether the pool is full. */
    private static final int CHUNK = 61;

    private static final long MISSES_PER_FRAME = 2;
    /** References for each frame in which a stream has to fill the pool. */
    private static final long PATIENCE_PER_FRAME = 2_000;

    private final ComparedPool pool;
    private final IntFunction<TpccStream> streams;
    private final LongAdder misses = new LongAdder();

    /** With threads that wait; {@code streams} makes the references of each. */
    Users(ComparedPool pool, int count, IntFunction<TpccStream> streams) {
        super(count);
        this.pool = pool;
        this.streams = streams;
    }

    /** One thread's references, and the latencies of those that are measured. */
    final class User implements WorkThreads.Worker {
        private final TpccStream pages;
        private final Histogram missNanos = Players.newHistogram();
        private final Histogram operationNanos = Players.newHistogram();
        private long changes;

        private User(TpccStream pages) {
            this.pages = pages;
        }

        @Override
        public int work(boolean measuring, SliceClock clock) throws IOException, InterruptedException {
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
        return new User(streams.apply(thread));
    }

    /**
     * Uses pages until twice as many were missed as there are frames. So no frame is free, and about as many are dirty
     * as when the pool has long been in use.
     *
     * @param watch is called several times a second
     */
    void fill(int frames, Runnable watch) throws Exception {
        await(
                begin((user, thread) -> {
                    while (!isStopped() && !isFull(frames)) {
                        for (int i = 0; i < CHUNK; i++) {
                            user.use(false);
                        }
                        publish(thread, CHUNK);
                    }
                }),
                ignored -> watch.run());
        rehearsed();
    }

    /** After enough misses; or after very many references, since a pool of nearly all pages rarely misses. */
    private boolean isFull(int frames) throws IOException {
        long missed = misses.sum();
        boolean isPatient = done() <= PATIENCE_PER_FRAME * frames;
        if (!isPatient && missed <= frames) {
            throw new IOException(
                    "the references miss " + missed + " pages only, and do not fill a pool of " + frames + " frames");
        }
        return !isPatient || missed >= MISSES_PER_FRAME * frames;
    }

    RunAnswer.Counts counts() {
        return new RunAnswer.Counts(done(), misses.sum(), pool.figures());
    }

    /** Changes of pages in the whole run. */
    long changes() {
        return workers().stream().mapToLong(user -> user.changes).sum();
    }

    /** Of the measured misses; null if there were none. */
    Percentiles missMicros() {
        return Players.micros(workers().stream().map(user -> user.missNanos));
    }

    /** Of all measured references; null if there were none. */
    Percentiles operationMicros() {
        return Players.micros(workers().stream().map(user -> user.operationNanos));
    }
}
