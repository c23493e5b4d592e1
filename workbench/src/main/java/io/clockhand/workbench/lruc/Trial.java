// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.environment.ProcessorTimes;
import io.clockhand.workbench.lruc.RunAnswer.Counts;
import io.clockhand.workbench.lruc.RunAnswer.Latency;
import io.clockhand.workbench.lruc.RunAnswer.Moment;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.ForwardingStore;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import io.clockhand.workbench.pages.driver.Pace;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.WorkloadStream;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * One run: new pages, a pool, and the threads that use it.
 *
 * <ol>
 *   <li>The threads fill the pool, with the latency of a simulated device off, until twice as many pages were missed as
 *       there are frames. So no frame is free, and about as many are dirty as when the pool has long been in use.
 *   <li>They warm up, and are measured, with the latency on.
 *   <li>They end, the latency is switched off, the pool is closed, and every page is read and compared.
 * </ol>
 *
 * <p>{@code slowed}, {@code paced} and {@code recording} are written by the measuring thread, {@code stopped} also by a
 * thread that fails; all read them.
 */
final class Trial {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS = SECOND;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(200);
    /** A latency is known to one in a hundred. */
    private static final int DIGITS = 2;

    private static final int RUN_BYTES = 1 << 20;
    private static final int MISSES_PER_FRAME = 2;
    /** References for each frame in which a stream has to fill the pool. */
    private static final long PATIENCE_PER_FRAME = 2_000;

    /** The parts of the whole at which a run is filled and measured, as its progress shows it. */
    private static final double FILLED = 0.1;

    private static final double MEASURED = 0.9;

    private final RunOrder order;
    private final DoubleConsumer progress;
    private long lastReport = System.nanoTime() - TICK;

    private PageStore store;
    /** Null for a file. */
    private SimulatedSsd device;

    private ComparedPool pool;
    private final LongAdder operations = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder changes = new LongAdder();
    private final Histogram missNanos = new ConcurrentHistogram(DIGITS);
    private final Histogram operationNanos = new ConcurrentHistogram(DIGITS);
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private volatile boolean slowed;
    private volatile boolean paced;
    private volatile boolean recording;
    private volatile boolean stopped;

    /**
     * Makes a run.
     *
     * @param progress receives several times a second the part that has passed
     */
    Trial(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
    }

    /** Plays it; throws what broke it off. */
    RunAnswer run() throws Exception {
        IntFunction<PageStream> streams = streams(); // first: a trace that cannot be read ends the run at once
        store = order.file() == null
                ? new MemoryPageStore("the simulated device", order.pageBytes())
                : FilePageStore.open(Path.of(order.file()), order.pageBytes(), FileOption.CREATE, FileOption.DIRECT);
        try {
            writeContents();
            return run(streams);
        } finally {
            store.delete();
        }
    }

    private IntFunction<PageStream> streams() throws IOException {
        if (order.trace() == null) {
            return thread ->
                    new TpccStream(order.pages(), thread, order.threads(), order.readsPerWrite(), order.seed());
        }
        Workload workload = Workloads.of(order.trace(), order.pages(), order.seed(), order.format());
        return thread -> new WorkloadStream(workload, thread, order.threads(), 1);
    }

    private RunAnswer run(IntFunction<PageStream> streams) throws Exception {
        device = order.profile() == null ? null : new SimulatedSsd(store, order.profile(), order.seed());
        pool = ComparedPool.of(order.scheme(), new SwitchedDevice(), order.frames(), order.slowness());
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < order.threads(); number++) {
            PageStream stream = streams.apply(number);
            double rate = order.rate() / order.threads();
            Pace pace = rate == 0 ? null : new Pace(rate, (double) number / order.threads(), () -> stopped);
            threads.add(new Thread(() -> work(stream, pace), "worker " + number));
        }
        threads.forEach(Thread::start);
        fill();
        slowed = true;
        paced = true;
        RunAnswer measured = measure();
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        pause(0); // throws if a thread has failed
        slowed = false; // a device as slow as this one would need minutes for what is dirty
        long begin = System.nanoTime();
        pool.close();
        double closeSeconds = (System.nanoTime() - begin) / NANOS;
        return new RunAnswer(
                measured.seconds(),
                measured.counts(),
                latency(missNanos),
                latency(operationNanos),
                measured.device(),
                measured.cpuIdlePercent(),
                measured.overTime(),
                changes.sum(),
                found(),
                closeSeconds);
    }

    /** The pages, with the latency of the device while it is on. Calls that are waiting then wait to their end. */
    private final class SwitchedDevice extends ForwardingStore {
        @Override
        protected PageStore target() {
            return slowed && device != null ? device : store;
        }
    }

    // --- threads -----------------------------------------------------------------------------------------------------

    private void work(PageStream pages, Pace pace) {
        try {
            while (!stopped) {
                if (paced && pace != null) {
                    pace.await();
                }
                use(pages.next());
            }
        } catch (Throwable thrown) {
            failed.completeExceptionally(thrown);
            stopped = true;
        }
    }

    /** Uses a page, or changes the page of the complement. */
    private void use(long next) throws Exception {
        long begin = System.nanoTime();
        boolean missed = pool.use(next < 0 ? ~next : next, next < 0);
        long nanos = System.nanoTime() - begin;
        operations.increment();
        if (missed) {
            misses.increment();
        }
        if (next < 0) {
            changes.increment();
        }
        if (recording) {
            operationNanos.recordValue(nanos);
            if (missed) {
                missNanos.recordValue(nanos);
            }
        }
    }

    /** Waits for some time, though no longer than until a thread fails; then throws what that one has thrown. */
    private void pause(long nanos) throws Exception {
        try {
            failed.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // no thread has failed
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Waits until the pool is full, and has evicted as many pages as it holds. */
    private void fill() throws Exception {
        long frames = order.frames();
        for (long missed = 0; missed < MISSES_PER_FRAME * frames; missed = misses.sum()) {
            if (operations.sum() > PATIENCE_PER_FRAME * frames) {
                if (missed > frames) {
                    return; // a pool that holds nearly all pages has few misses
                }
                throw new IOException("the references miss " + missed + " pages only, and do not fill a pool of "
                        + frames + " frames");
            }
            report(FILLED / 2, FILLED, (double) missed / (MISSES_PER_FRAME * frames));
            pause(TICK / 20);
        }
    }

    // --- the measured interval ---------------------------------------------------------------------------------------

    /** Warms up and measures; what is known at the end only is missing. */
    private RunAnswer measure() throws Exception {
        long start = System.nanoTime();
        pauseUntil(start + order.timing().warmupSeconds() * SECOND, start);
        List<Moment> moments = new ArrayList<>();
        ProcessorTimes processors = ProcessorTimes.now();
        recording = true;
        if (device != null) {
            device.resetFigures();
        }
        Counts first = counts();
        Counts last = first;
        long begin = System.nanoTime();
        long before = begin;
        for (int second = 1; second <= order.timing().seconds(); second++) {
            pauseUntil(begin + second * SECOND, start);
            Counts now = counts();
            long nanos = System.nanoTime();
            moments.add(moment(now.since(last), (nanos - before) / NANOS, (nanos - begin) / NANOS));
            last = now;
            before = nanos;
        }
        recording = false;
        DeviceFigures figures = device == null ? null : device.figures();
        Double idle = ProcessorTimes.idlePercent(processors, ProcessorTimes.now());
        return new RunAnswer((before - begin) / NANOS, last.since(first), null, null, figures, idle, moments, 0, 0, 0);
    }

    private Counts counts() {
        return new Counts(operations.sum(), misses.sum(), pool.figures());
    }

    private static Moment moment(Counts own, double seconds, double end) {
        return new Moment(
                end,
                own.operations() / seconds,
                own.misses() / seconds,
                own.pool().readStalls() / seconds,
                own.pool().pagesWritten() / seconds);
    }

    private void pauseUntil(long due, long start) throws Exception {
        double whole = (order.timing().warmupSeconds() + order.timing().seconds()) * NANOS;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            pause(Math.min(left, TICK));
            report(FILLED, MEASURED, Math.min(1, (System.nanoTime() - start) / whole));
        }
    }

    /** Null if nothing was recorded. */
    private static Latency latency(Histogram nanos) {
        return nanos.getTotalCount() == 0
                ? null
                : new Latency(
                        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
                        nanos.getValueAtPercentile(95) / NANOS_PER_MICRO,
                        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
                        nanos.getMean() / NANOS_PER_MICRO);
    }

    private void report(double from, double to, double part) {
        long now = System.nanoTime();
        if (now - lastReport >= TICK) {
            lastReport = now;
            progress.accept(from + part * (to - from));
        }
    }

    // --- pages -------------------------------------------------------------------------------------------------------

    private void writeContents() throws IOException {
        int most = RUN_BYTES / order.pageBytes();
        ByteBuffer run = ByteBuffer.allocateDirect(RUN_BYTES);
        for (int first = 0; first < order.pages(); first += most) {
            run.clear();
            for (int page = first; page < Math.min(order.pages(), first + most); page++) {
                for (int at = 0; at < order.pageBytes(); at += Long.BYTES) {
                    run.putLong(PageContent.of(page));
                }
            }
            store.writeRun(first, run.flip());
            report(0, FILLED / 2, (double) first / order.pages());
        }
        store.force(); // or the system would write it back while something is measured
    }

    /** Reads all pages; {@return how often they were changed, all together} Throws if one is another. */
    private long found() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(order.pageBytes());
        long all = 0;
        for (int page = 0; page < order.pages(); page++) {
            store.read(page, bytes.clear());
            ComparedPool.check(page, bytes.getLong(0));
            all += PageContent.changes(page, bytes.getLong(PageContent.CHANGES_OFFSET));
            report(MEASURED, 1, (double) page / order.pages());
        }
        return all;
    }
}
