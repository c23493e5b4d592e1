// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.lruc.driver.RunAnswer.Latency;
import io.clockhand.workbench.lruc.pool.ComparedPool;
import io.clockhand.workbench.pages.driver.Pace;
import io.clockhand.workbench.pages.driver.PageStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * The threads of a run, which use pages until they are stopped or one of them fails.
 *
 * <p>{@code paced}, {@code recording} and {@code stopped} are written by the measuring thread, {@code stopped} also by
 * a thread that fails; all read them.
 */
final class Workers {
    private static final double NANOS_PER_MICRO = 1_000;

    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean paced;
    private volatile boolean recording;
    private volatile boolean stopped;

    /**
     * Makes the threads, which do nothing yet.
     *
     * @param streams makes the stream of a thread, from 0 to {@code count − 1}
     * @param rate references a second of all threads together, once they are paced; 0 for as many as they can
     */
    Workers(ComparedPool pool, int count, IntFunction<PageStream> streams, double rate) {
        for (int number = 0; number < count; number++) {
            Pace pace = rate == 0 ? null : new Pace(rate / count, (double) number / count, () -> stopped);
            Worker worker = new Worker(pool.newUser(), streams.apply(number), pace);
            Thread thread = new Thread(() -> work(worker), "worker " + number);
            thread.setDaemon(true);
            workers.add(worker);
            threads.add(thread);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    private void work(Worker worker) {
        try {
            while (!stopped) {
                if (paced) {
                    worker.awaitTurn();
                }
                long latency = worker.next();
                if (recording) {
                    worker.record(latency);
                }
            }
        } catch (Throwable thrown) {
            failure.compareAndSet(null, thrown);
            stopped = true;
            failed.countDown();
        }
    }

    /** From now on the threads keep to their rate, if they have one. */
    void pace() {
        paced = true;
    }

    /** Begins or ends to record latencies, of references that end from now on. */
    void record(boolean on) {
        recording = on;
    }

    /** Waits for some time, though no longer than until a thread fails; then throws what that one has thrown. */
    void pause(long nanos) throws Exception {
        if (failed.await(nanos, TimeUnit.NANOSECONDS)) {
            throwFailure();
        }
    }

    private void throwFailure() throws Exception {
        Throwable thrown = failure.get();
        if (thrown instanceof Exception exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
    }

    /** Asks the threads to end after the reference that each is at. */
    void stop() {
        stopped = true;
    }

    /** Waits for the threads; {@return whether all have ended} Throws what one has thrown. */
    boolean join(long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        for (Thread thread : threads) {
            long left = end - System.nanoTime();
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            if (thread.isAlive()) {
                return false;
            }
        }
        throwFailure();
        return true;
    }

    long operations() {
        return workers.stream().mapToLong(Worker::operations).sum();
    }

    long misses() {
        return workers.stream().mapToLong(Worker::misses).sum();
    }

    /** For when the threads have ended. */
    long changes() {
        return workers.stream().mapToLong(Worker::changes).sum();
    }

    /** For when the threads have ended; null if there were no misses. */
    Latency missMicros() {
        return latency(Worker::missNanos);
    }

    /** For when the threads have ended; null if there were no references. */
    Latency operationMicros() {
        return latency(Worker::operationNanos);
    }

    private Latency latency(Function<Worker, Histogram> own) {
        Histogram nanos = Worker.newHistogram();
        workers.forEach(worker -> nanos.add(own.apply(worker)));
        return nanos.getTotalCount() == 0
                ? null
                : new Latency(
                        micros(nanos, 50), micros(nanos, 95), micros(nanos, 99), nanos.getMean() / NANOS_PER_MICRO);
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
}
