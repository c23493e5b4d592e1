// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.environment.ProcessorTimes;
import io.clockhand.workbench.lruc.pool.ComparedPool;
import io.clockhand.workbench.lruc.pool.PoolFigures;
import io.clockhand.workbench.lruc.pool.Pools;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.device.ForwardingStore;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.WorkloadStream;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;

/**
 * One run: new pages, a pool, and the threads that use it.
 *
 * <ol>
 *   <li>The threads fill the pool, with the latency of a simulated device off, until twice as many pages were missed as
 *       there are frames. So no frame is free, and about as many are dirty as when the pool has long been in use.
 *   <li>They warm up, and are measured, with the latency on.
 *   <li>They end, the latency is switched off, the pool is closed, and every page is read and compared.
 * </ol>
 */
public final class Trial {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS = SECOND;
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private static final int MISSES_PER_FRAME = 2;
    /** References for each frame in which a stream has to fill the pool. */
    private static final long PATIENCE_PER_FRAME = 2_000;

    /** The parts of the whole at which a run is filled, measured and closed, as its progress shows it. */
    private static final double FILLED = 0.1;

    private static final double MEASURED = 0.9;
    private static final double CLOSED = 0.95;

    private final RunOrder order;
    private final DoubleConsumer progress;
    /** Of progress. */
    private long lastReport = System.nanoTime() - TICK;

    /** The counts of the measured interval. */
    private record Interval(
            double seconds,
            long operations,
            long misses,
            PoolFigures pool,
            ProcessorTimes before,
            ProcessorTimes after,
            List<Moment> overTime) {}

    /**
     * Makes a run.
     *
     * @param progress receives several times a second the part that has passed
     */
    public Trial(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
    }

    /** Plays it; throws what broke it off. */
    public RunAnswer run() throws Exception {
        RunOrder.Source source = order.source();
        IntFunction<PageStream> streams = streams(); // first: a trace that cannot be read ends the run at once
        try (Database database = Database.make(
                order.device().file(), source.pages(), order.device().pageBytes(), part(0, FILLED / 2))) {
            DeviceProfile profile = order.device().profile();
            SimulatedSsd ssd = profile == null ? null : new SimulatedSsd(database.store(), profile, source.seed());
            SwitchedDevice device = ssd == null ? null : new SwitchedDevice(database.store(), ssd);
            return run(database, ssd, device, streams);
        }
    }

    private RunAnswer run(Database database, SimulatedSsd ssd, SwitchedDevice device, IntFunction<PageStream> streams)
            throws Exception {
        PageStore store = device == null ? database.store() : device;
        ComparedPool pool = Pools.make(
                order.pool().scheme(),
                store,
                order.pool().frames(),
                order.pool().slowness());
        Workers workers = new Workers(pool, order.threads(), streams, order.rate());
        workers.start();
        fill(workers);
        setOn(device, true);
        workers.pace();
        long begin = System.nanoTime();
        double whole = (order.timing().warmupSeconds() + order.timing().seconds()) * NANOS;
        DoubleConsumer timed = part(FILLED, MEASURED);
        Runnable tick = () -> timed.accept(Math.min(1, (System.nanoTime() - begin) / whole));
        pauseUntil(begin + order.timing().warmupSeconds() * SECOND, workers, tick);
        Interval interval = measure(pool, workers, ssd, tick);
        DeviceFigures figures = ssd == null ? null : ssd.figures();
        workers.stop();
        awaitBounded("the threads to end", workers::join);
        setOn(device, false); // a device as slow as this one would need minutes for what is dirty
        double closeSeconds = close(pool);
        long found = database.changes(part(CLOSED, 1));
        return new RunAnswer(
                interval.seconds,
                interval.operations,
                interval.misses,
                workers.missMicros(),
                workers.operationMicros(),
                interval.pool,
                figures,
                ProcessorTimes.idlePercent(interval.before, interval.after),
                interval.overTime,
                workers.changes(),
                found,
                closeSeconds);
    }

    private static void setOn(SwitchedDevice device, boolean on) {
        if (device != null) {
            device.setOn(on);
        }
    }

    private IntFunction<PageStream> streams() throws IOException {
        RunOrder.Source source = order.source();
        if (source.trace() == null) {
            return thread -> new TpccStream(source.pages(), thread, order.threads(), source.mix(), source.seed());
        }
        Workload workload = Workloads.of(source.trace(), source.pages(), source.seed(), source.format());
        return thread -> new WorkloadStream(workload, thread, order.threads(), 1);
    }

    /** A consumer for the progress of a part of the run. */
    private DoubleConsumer part(double from, double to) {
        return fraction -> {
            long now = System.nanoTime();
            if (now - lastReport >= TICK) {
                lastReport = now;
                progress.accept(from + fraction * (to - from));
            }
        };
    }

    /** Waits until the pool is full, and has evicted as many pages as it holds. */
    private void fill(Workers workers) throws Exception {
        long frames = order.pool().frames();
        DoubleConsumer filling = part(FILLED / 2, FILLED);
        for (long misses = 0; misses < MISSES_PER_FRAME * frames; misses = workers.misses()) {
            if (workers.operations() > PATIENCE_PER_FRAME * frames) {
                if (misses > frames) {
                    return; // a pool that holds nearly all pages has few misses
                }
                throw new IOException("the references miss " + misses + " pages only, and do not fill a pool of "
                        + frames + " frames");
            }
            filling.accept((double) misses / (MISSES_PER_FRAME * frames));
            workers.pause(TICK / 20);
        }
    }

    private static void pauseUntil(long due, Workers workers, Runnable tick) throws Exception {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            workers.pause(Math.min(left, TICK));
            tick.run();
        }
    }

    private Interval measure(ComparedPool pool, Workers workers, SimulatedSsd ssd, Runnable tick) throws Exception {
        List<Moment> moments = new ArrayList<>();
        ProcessorTimes processors = ProcessorTimes.now();
        workers.record(true);
        if (ssd != null) {
            ssd.resetFigures();
        }
        Counts first = counts(pool, workers);
        Counts last = first;
        for (int second = 1; second <= order.timing().seconds(); second++) {
            pauseUntil(first.nanos + second * SECOND, workers, tick);
            Counts now = counts(pool, workers);
            moments.add(now.since(last, first.nanos));
            last = now;
        }
        workers.record(false);
        return new Interval(
                (last.nanos - first.nanos) / NANOS,
                last.operations - first.operations,
                last.misses - first.misses,
                last.pool.since(first.pool),
                processors,
                ProcessorTimes.now(),
                moments);
    }

    private record Counts(long nanos, long operations, long misses, PoolFigures pool) {
        Moment since(Counts before, long begin) {
            double seconds = (nanos - before.nanos) / NANOS;
            PoolFigures own = pool.since(before.pool);
            return new Moment(
                    (nanos - begin) / NANOS,
                    (operations - before.operations) / seconds,
                    (misses - before.misses) / seconds,
                    own.readStalls() / seconds,
                    own.pagesWritten() / seconds);
        }
    }

    private static Counts counts(ComparedPool pool, Workers workers) {
        return new Counts(System.nanoTime(), workers.operations(), workers.misses(), pool.figures());
    }

    // --- the end -----------------------------------------------------------------------------------------------------

    /** Ends within some nanoseconds, or returns false; can be called again. */
    private interface Ending {
        boolean endsWithin(long nanos) throws Exception;
    }

    private double close(ComparedPool pool) throws Exception {
        BackgroundClose close = new BackgroundClose(pool);
        return awaitBounded("the pool to be closed", close::endsWithin);
    }

    /** {@return the seconds that it took} Throws if it takes too long. */
    private double awaitBounded(String what, Ending ending) throws Exception {
        long begin = System.nanoTime();
        long limit = limit();
        DoubleConsumer waiting = part(MEASURED, CLOSED);
        while (!ending.endsWithin(TICK)) {
            long elapsed = System.nanoTime() - begin;
            if (elapsed > limit) {
                throw new IOException("waited " + TimeUnit.NANOSECONDS.toSeconds(limit) + " s for " + what);
            }
            waiting.accept((double) elapsed / limit); // anew, or the run would count as hung
        }
        return (System.nanoTime() - begin) / NANOS;
    }

    /** A minute, and twice what a simulated device needs for all frames and for a read of each thread. */
    private long limit() {
        DeviceProfile profile = order.device().profile();
        if (profile == null) {
            return 10 * MINUTE;
        }
        double nanos = order.pool().frames() * profile.writeNanos() + order.threads() * profile.readNanos();
        return MINUTE + (long) (2 * nanos / profile.channels());
    }

    /** Closes a pool in a thread of its own, so that the wait for it has a bound. */
    static final class BackgroundClose {
        private final FutureTask<Void> close;

        BackgroundClose(ComparedPool pool) {
            close = new FutureTask<>(() -> {
                pool.close();
                return null;
            });
            Thread closer = new Thread(close, "close of the pool");
            closer.setDaemon(true);
            closer.start();
        }

        /** {@return whether the pool is closed within this time} Throws what has prevented that. */
        boolean endsWithin(long nanos) throws Exception {
            try {
                close.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /**
     * A simulated device that can be switched off: then requests go to its store at once. Calls that are waiting when
     * it is switched off wait to their end. Off at the beginning. Thread-safe.
     */
    static final class SwitchedDevice extends ForwardingStore {
        private final PageStore store;
        private final SimulatedSsd device;
        private volatile boolean on;

        SwitchedDevice(PageStore store, SimulatedSsd device) {
            this.store = store;
            this.device = device;
        }

        void setOn(boolean newOn) {
            on = newOn;
        }

        @Override
        protected PageStore target() {
            return on ? device : store;
        }
    }
}
