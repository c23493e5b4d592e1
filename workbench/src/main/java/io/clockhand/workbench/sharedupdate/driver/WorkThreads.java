// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.environment.ProcessorTimes.ProcessTime;
import io.clockhand.workbench.pages.driver.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.DoubleConsumer;

/**
 * The threads of a run. Each publishes its progress in a cell of its own of {@code done}, with release order. {@code
 * stopped} is written by one thread and read by all.
 *
 * @param <O> what each does
 */
final class WorkThreads<O extends WorkThreads.Operation> implements AutoCloseable {
    private static final int PADDING = 16;
    private static final long TICK_MILLIS = 200;
    private static final long POLL_MILLIS = 20;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double PERCENT = 100;

    private final int count;
    /** Operations between two looks at the flag. */
    private final int chunk;

    private final Maker<O> maker;
    private final List<O> made = new ArrayList<>();
    private final AtomicLongArray done;
    private final ExecutorService threads;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch rehearsed = new CountDownLatch(1);
    private volatile boolean stopped;

    /** The work that a thread does again and again. */
    interface Operation extends AutoCloseable {
        void perform() throws IOException;

        /** Called by the thread when it ends. */
        @Override
        void close() throws IOException;
    }

    /** Makes what a thread does, in that thread. */
    interface Maker<O> {
        O make(int thread) throws IOException;
    }

    /**
     * The measured interval.
     *
     * @param operations 0 in a duel
     */
    record Measured(long operations, double seconds, Double cpuPercent) {}

    WorkThreads(int count, int chunk, Maker<O> maker) {
        this.count = count;
        this.chunk = chunk;
        this.maker = maker;
        done = new AtomicLongArray((count + 2) * PADDING);
        threads = Executors.newFixedThreadPool(count);
    }

    /** Runs all threads, once, and ends them; throws what broke one off. */
    Measured time(Timing timing, DoubleConsumer progress) throws Exception {
        SliceClock clock = timing.slices() == null ? null : SliceClock.open(Path.of(timing.slices()));
        List<Future<Void>> ends = new ArrayList<>();
        for (int t = 0; t < count; t++) {
            int thread = t;
            ends.add(threads.submit(() -> perform(thread, clock == null ? null : clock.counter(thread))));
        }
        Measured measured = clock == null ? timeAlone(timing, progress) : timeSlices(timing, clock);
        stop();
        await(ends);
        return measured;
    }

    private Measured timeAlone(Timing timing, DoubleConsumer progress) throws InterruptedException {
        double whole = (timing.warmupSeconds() + timing.seconds()) * NANOS;
        long start = System.nanoTime();
        Runnable tick = () -> progress.accept(Math.min(1, (System.nanoTime() - start) / whole));
        long warmup = TimeUnit.SECONDS.toNanos(timing.warmupSeconds());
        pause(warmup / 2, tick);
        rehearsed.countDown();
        pause(warmup - warmup / 2, tick);
        long before = done();
        long cpuBefore = ProcessTime.nanos();
        long begin = System.nanoTime();
        pause(TimeUnit.SECONDS.toNanos(timing.seconds()), tick);
        long nanos = System.nanoTime() - begin;
        long operations = done() - before;
        double used = ProcessTime.nanos() - cpuBefore;
        return new Measured(
                operations,
                nanos / NANOS,
                PERCENT * used / nanos / Runtime.getRuntime().availableProcessors());
    }

    /** While the referee of a duel permits it; the referee counts. */
    private Measured timeSlices(Timing timing, SliceClock clock) throws InterruptedException {
        clock.ready();
        while (!clock.isOver() && failed.getCount() > 0) {
            if (clock.slice() > 0 || clock.slice() < -timing.warmupSlices() / 2) {
                rehearsed.countDown();
            }
            pause(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS), () -> {});
        }
        return new Measured(0, 0, null);
    }

    /**
     * Threads that there is no processor for begin when the others have rehearsed, so that threads that spin do not
     * keep the compiler from its work.
     */
    private Void perform(int thread, SliceClock.Counter counter) throws Exception {
        try (O operation = maker.make(thread)) {
            synchronized (made) {
                made.add(operation);
            }
            if (thread >= Runtime.getRuntime().availableProcessors()) {
                rehearsed.await();
            }
            int cell = (thread + 1) * PADDING;
            while (!stopped) {
                for (int i = 0; i < chunk; i++) {
                    operation.perform();
                }
                if (counter == null) {
                    done.setRelease(cell, done.getPlain(cell) + chunk);
                } else {
                    counter.add(chunk);
                }
            }
            return null;
        } catch (Throwable failure) {
            failed.countDown();
            stop();
            throw failure;
        }
    }

    private long done() {
        long sum = 0;
        for (int t = 0; t < count; t++) {
            sum += done.getAcquire((t + 1) * PADDING);
        }
        return sum;
    }

    /** Waits for so long, though no longer than until a thread fails. */
    private void pause(long nanos, Runnable tick) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (failed.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)), TimeUnit.NANOSECONDS)) {
                return;
            }
            tick.run();
        }
    }

    private static void await(List<Future<Void>> ends) throws Exception {
        Exception first = null;
        for (Future<Void> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                Exception failure = e.getCause() instanceof Exception cause ? cause : e;
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** The work of all threads, when they have ended. */
    List<O> made() {
        synchronized (made) {
            return List.copyOf(made);
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
