// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.environment.ProcessorTimes.ProcessTime;
import io.clockhand.workbench.experiment.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/**
 * The threads of a run. They start together, once or several times; each continues where it stopped.
 *
 * <p>Each publishes its progress in a cell of its own of {@code done}, with release order, so the sum of the cells is
 * late by a few operations of each thread. {@code stopped} and {@code measuring} are written by one thread and read by
 * all.
 *
 * @param <W> the work of a thread
 */
public abstract class WorkThreads<W extends WorkThreads.Worker> implements AutoCloseable {
    private static final int PADDING = 16;
    private static final long TICK_MILLIS = 200;
    private static final long POLL_MILLIS = 20;

    private final int count;
    private final List<W> workers;
    private final AtomicLongArray done;
    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch rehearsed = new CountDownLatch(1);
    private volatile boolean stopped;
    private volatile boolean measuring;

    /** The work that a thread does again and again. Not thread-safe. */
    public interface Worker extends AutoCloseable {
        /**
         * Performs some operations; {@return how many}
         *
         * @param measuring whether these are in the measured interval
         * @param clock of a duel; null in others
         */
        int work(boolean measuring, SliceClock clock) throws IOException, InterruptedException;

        /** Called by the thread at the end of a measured run. */
        @Override
        default void close() throws IOException {}
    }

    /** Called by the measuring thread while the threads continue; not in a duel. */
    public interface Interval {
        /** For measuring the throughput alone. */
        Interval UNWATCHED = new Interval() {};

        default void begins() {}

        /** At the end of each second of the interval; of several that one stall has taken, at the end of the last. */
        default void second() {}

        default void ends() {}
    }

    /**
     * The measured interval.
     *
     * @param operations 0 in a duel, whose referee counts
     * @param cpuPercent of the processors' time that this JVM used; null in a duel
     */
    public record Measured(long operations, double seconds, Double cpuPercent) {
        /** 0 in a duel. */
        double operationsPerSecond() {
            return seconds == 0 ? 0 : operations / seconds;
        }
    }

    /** What a thread does with its worker. */
    protected interface Work<W> {
        void doWith(W worker, int thread) throws Exception;
    }

    /** Makes the threads, which wait. */
    protected WorkThreads(int count) {
        this.count = count;
        workers = new ArrayList<>(Collections.nCopies(count, null));
        done = new AtomicLongArray((count + 1) * PADDING);
        threads = Executors.newFixedThreadPool(count);
        start = new CyclicBarrier(count);
    }

    /**
     * Makes the worker of a thread, from 0, in this thread, or those of two would share lines of the processor's cache.
     */
    protected abstract W make(int thread) throws IOException;

    /** Measures what the threads do; they cannot work again after it. Throws what broke one off. */
    public final Measured measure(Timing timing, Interval interval, DoubleConsumer progress) throws Exception {
        if (timing.slices() != null) {
            return measureSlices(timing, SliceClock.open(Path.of(timing.slices())));
        }
        double whole = TimeUnit.SECONDS.toNanos((long) timing.warmupSeconds() + timing.seconds());
        long beginning = System.nanoTime();
        LongConsumer watch = ignored -> progress.accept(Math.min(1, (System.nanoTime() - beginning) / whole));
        List<Future<Void>> ends = workOn(null);
        long warmup = TimeUnit.SECONDS.toNanos(timing.warmupSeconds());
        pause(warmup / 2, watch);
        rehearsed.countDown();
        pause(warmup - warmup / 2, watch);
        measuring = true;
        long before = done();
        long cpuBefore = ProcessTime.nanos();
        long begin = System.nanoTime();
        interval.begins();
        for (long second = 1; second <= timing.seconds() && failed.getCount() > 0; ) {
            pause(begin + TimeUnit.SECONDS.toNanos(second) - System.nanoTime(), watch);
            interval.second();
            second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + 1;
        }
        long operations = done() - before;
        long nanos = System.nanoTime() - begin;
        double used = ProcessTime.nanos() - cpuBefore;
        interval.ends();
        end(ends, watch);
        return new Measured(
                operations,
                nanos / 1e9,
                100 * used / nanos / Runtime.getRuntime().availableProcessors());
    }

    /** While the referee of a duel permits it; the referee counts. */
    private Measured measureSlices(Timing timing, SliceClock clock) throws Exception {
        measuring = true;
        List<Future<Void>> ends = workOn(clock);
        clock.ready();
        while (!clock.isOver() && failed.getCount() > 0) {
            if (clock.slice() > 0 || clock.slice() < -timing.warmupSlices() / 2) {
                rehearsed.countDown();
            }
            pause(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS), ignored -> {});
        }
        end(ends, ignored -> {});
        return new Measured(0, 0, null);
    }

    private void end(List<Future<Void>> ends, LongConsumer watch) throws Exception {
        measuring = false;
        stop();
        await(ends, watch);
    }

    /**
     * Sets the threads to work until they are {@linkplain #stop stopped}; those that there is no processor for begin
     * when the others have rehearsed. Where threads outnumber processors by far, the compiler, one thread among them
     * all, would get so little time that code were measured that is compiled badly or not at all.
     */
    private List<Future<Void>> workOn(SliceClock clock) {
        int processors = Runtime.getRuntime().availableProcessors();
        return begin((worker, t) -> {
            try (worker) {
                if (t >= processors) {
                    rehearsed.await();
                }
                SliceClock.Counter counter = clock == null ? null : clock.counter(t);
                while (!stopped) {
                    int operations = worker.work(measuring, clock);
                    if (counter == null) {
                        publish(t, operations);
                    } else {
                        counter.add(operations);
                    }
                }
            }
        });
    }

    /** Sets all threads to work, each in its own thread from the same moment on. */
    protected final List<Future<Void>> begin(Work<W> work) {
        List<Future<Void>> ends = new ArrayList<>();
        for (int t = 0; t < count; t++) {
            int thread = t;
            ends.add(threads.submit(() -> {
                try {
                    awaitOthers();
                    if (workers.get(thread) == null) {
                        workers.set(thread, make(thread));
                    }
                    work.doWith(workers.get(thread), thread);
                } catch (Throwable failure) {
                    stop();
                    failed.countDown();
                    throw failure;
                }
                return null;
            }));
        }
        return ends;
    }

    private void awaitOthers() throws InterruptedException {
        try {
            start.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("another thread was interrupted", e);
        }
    }

    protected final void publish(int thread, int operations) {
        int cell = (thread + 1) * PADDING;
        done.setRelease(cell, done.getPlain(cell) + operations);
    }

    /** The operations performed so far, or a few less of each thread. */
    public final long done() {
        long sum = 0;
        for (int i = 1; i <= count; i++) {
            sum += done.getAcquire(i * PADDING);
        }
        return sum;
    }

    /** Those that have begun; for when their threads have ended. */
    public final List<W> workers() {
        return workers.stream().filter(Objects::nonNull).toList();
    }

    protected final int count() {
        return count;
    }

    /** Lets all threads work from the beginning of a measured run on, since they have worked enough before. */
    protected final void rehearsed() {
        rehearsed.countDown();
    }

    protected final boolean isStopped() {
        return stopped;
    }

    /** Waits for so long, though no longer than until a thread fails. */
    private void pause(long nanos, LongConsumer watch) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (failed.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)), TimeUnit.NANOSECONDS)) {
                return;
            }
            watch.accept(done());
        }
    }

    /** Waits for the ends of all; throws the failure that ended one of them. */
    protected final void await(List<Future<Void>> ends, LongConsumer watch) throws Exception {
        Exception first = null;
        for (Future<Void> end : ends) {
            boolean ended = false;
            while (!ended) {
                try {
                    end.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                    ended = true;
                } catch (TimeoutException e) {
                    watch.accept(done());
                } catch (ExecutionException e) {
                    ended = true;
                    first = first != null ? first : e.getCause() instanceof Exception cause ? cause : e;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void stop() {
        stopped = true;
        rehearsed.countDown();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
