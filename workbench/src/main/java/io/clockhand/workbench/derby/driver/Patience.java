// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.environment.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Waits for the ends of threads, though only as long as something moves: a thread that hangs breaks the run off.
 *
 * <p>Deliveries that are queued when the interval ends may take their time, so the limit is one without any progress:
 * neither has a thread ended nor a delivery been carried out. A terminal that retries in vain gives up within 55 s,
 * eleven lock time-outs.
 */
public final class Patience {
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
        return progress.getAsLong() + threads.stream().filter(Future::isDone).count();
    }
}
