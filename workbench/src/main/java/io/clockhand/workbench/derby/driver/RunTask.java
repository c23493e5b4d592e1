// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.derby.driver.CacheProbe.RequiredCache;
import io.clockhand.workbench.derby.driver.Interval.Watch;
import io.clockhand.workbench.environment.Child.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The work of a child JVM: terminals that use a database for an interval.
 *
 * @param database the directory of a copy that may be changed
 * @param cache that the properties and the class path of this JVM must have set
 * @param leastOperations that are counted after the warm-up, if need be beyond the seconds above; 0 in a duel
 * @param seed of this run's inputs
 * @param slices the file of a duel, which decides how long the run takes; null for the seconds above
 * @param hangSeconds how long terminals may make no progress at the end
 * @param recording file for a Java Flight Recorder profile of the measured interval, or null
 */
public record RunTask(
        String database,
        RequiredCache cache,
        int terminals,
        int warmupSeconds,
        int seconds,
        long leastOperations,
        long seed,
        String slices,
        int hangSeconds,
        String recording) {
    public Path directory() {
        return Path.of(database);
    }

    /** The seed of a terminal. */
    public long seedOf(int terminal) {
        return seed * 1_000_003 + terminal;
    }

    /** Begins now. */
    public Interval interval() throws IOException {
        return slices == null ? Interval.timed(warmupSeconds, seconds, leastOperations) : Interval.sliced(slices);
    }

    /** Waits as long as {@code progress} changes. */
    public Patience patience(LongSupplier progress) {
        return new Patience(TimeUnit.SECONDS.toNanos(hangSeconds), progress);
    }

    /** Runs the terminals, by their numbers from 0, until the interval is over; throws what broke one off. */
    public <T> List<T> perform(Interval interval, Watch watch, Patience patience, IntFunction<Callable<T>> terminal)
            throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<T>> results = new ArrayList<>();
            for (int i = 0; i < terminals; i++) {
                results.add(threads.submit(terminal.apply(i)));
            }
            interval.follow(watch);
            return patience.awaitAll("terminals", results);
        } finally {
            interval.breakOff();
            threads.shutdown();
        }
    }

    /**
     * Waits for the ends of threads, though only as long as something moves: a thread that hangs breaks the run off.
     *
     * <p>Deliveries that are queued when the interval ends may take their time, so the limit is one without any
     * progress: neither has a thread ended nor a delivery been carried out. A terminal that retries in vain gives up
     * within 55 s, eleven lock time-outs.
     */
    public static final class Patience {
        private final long nanos;
        private final LongSupplier progress;

        public Patience(long nanos, LongSupplier progress) {
            this.nanos = nanos;
            this.progress = progress;
        }

        /** The results in the order of the threads; throws what ended one of them, or that one does not end. */
        public <T> List<T> awaitAll(String what, List<Future<T>> threads) throws Exception {
            List<T> results = new ArrayList<>();
            for (Future<T> thread : threads) {
                results.add(await(what, thread, threads));
            }
            return results;
        }

        private <T> T await(String what, Future<T> thread, List<Future<T>> threads) throws Exception {
            while (true) {
                long before = moved(threads);
                try {
                    return thread.get(nanos, TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (moved(threads) == before) {
                        System.err.println(Threads.dump());
                        IllegalStateException hang = new IllegalStateException(
                                threads.stream().filter(t -> !t.isDone()).count() + " of " + threads.size() + " " + what
                                        + " hang: nothing has moved for " + TimeUnit.NANOSECONDS.toSeconds(nanos)
                                        + " s after the interval");
                        hang.addSuppressed(e);
                        throw hang;
                    }
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof Exception cause ? cause : e;
                }
            }
        }

        private <T> long moved(List<Future<T>> threads) {
            return progress.getAsLong()
                    + threads.stream().filter(Future::isDone).count();
        }
    }
}
