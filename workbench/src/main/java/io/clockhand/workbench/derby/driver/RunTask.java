// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.derby.driver.Interval.Watch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
}
