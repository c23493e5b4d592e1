// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Session.End;
import io.clockhand.workbench.derby.tpcc.TpccRun.Work;
import io.clockhand.workbench.environment.Child;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Terminals and delivery workers, which work together for one interval.
 *
 * <p>Deliveries are deferred (clause 2.7.2): a terminal only queues them, workers carry them out and record the result.
 * There is one worker for every four terminals, at least one. The queue is bounded: terminals that never think could
 * fill it faster than the workers empty it, and then wait.
 */
final class Terminals {
    private static final long POLL_MILLIS = 20;

    private final TpccRun run;
    private final DataSource database;
    private final Interval interval;
    private final BlockingQueue<Queued> queue;
    /** No more deliveries come: the workers finish the queued ones and end. Written by the thread of the run. */
    private volatile boolean closed;

    /** A latency of a delivery begins with its queueing. */
    private record Queued(Delivery delivery, long since, long mark) {}

    Terminals(TpccRun run, DataSource database, Interval interval) {
        this.run = run;
        this.database = database;
        this.interval = interval;
        queue = new ArrayBlockingQueue<>(2 * run.terminals());
    }

    /** The counts of all threads; throws what broke the run off, if anything did. */
    Tally run(Observer observer) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Tally>> workers = start(threads, (run.terminals() + 3) / 4, number -> this::deliver);
            List<Future<Tally>> terminals = start(threads, run.terminals(), number -> () -> work(number));
            interval.follow(observer);
            Tally total = new Tally(run.scale());
            for (Future<Tally> terminal : terminals) {
                total.add(result(terminal));
            }
            closed = true;
            for (Future<Tally> worker : workers) {
                total.add(result(worker));
            }
            return total;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            interval.breakOff();
            threads.shutdown();
            // The caller closes the database: Derby then interrupts threads that are in it, which keep pages latched.
            threads.awaitTermination(8, TimeUnit.MINUTES);
        }
    }

    /** Starts threads by their numbers from 0; a failure of one breaks the run off. */
    private List<Future<Tally>> start(ExecutorService threads, int count, IntFunction<Callable<Tally>> work) {
        return IntStream.range(0, count)
                .mapToObj(work)
                .map(each -> threads.submit(() -> {
                    try {
                        return each.call();
                    } catch (Throwable failure) {
                        interval.breakOff();
                        throw failure;
                    }
                }))
                .toList();
    }

    /** Gives up on a thread that hangs: one that retries in vain ends sooner, and so do deliveries that are queued. */
    private static Tally result(Future<Tally> thread) throws ExecutionException, InterruptedException {
        try {
            return thread.get(8, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            System.err.println(Child.threads());
            throw new IllegalStateException("a terminal or a delivery worker hangs; the log has all stacks", e);
        }
    }

    /** A client thread: deals a transaction, and waits for it, until the interval is over. */
    private Tally work(int number) throws SQLException, InterruptedException {
        Tally tally = new Tally(run.scale());
        Inputs inputs = new Inputs(run.scale(), run.seed(), number, run.terminals());
        Selects selects = run.work() == Work.SELECTS ? new Selects(inputs.draw, run.scale()) : null;
        LongConsumer operations = interval.counter(number);
        try (Session session = new Session(database)) {
            while (!interval.isOver()) {
                Transaction transaction = selects != null ? selects : inputs.next();
                long mark = interval.mark();
                long start = System.nanoTime();
                if (transaction instanceof Delivery delivery) {
                    put(new Queued(delivery, start, mark));
                    continue;
                }
                End end = session.run(transaction);
                if (end == End.COMMITTED) {
                    operations.accept(transaction.operations());
                }
                tally.add(transaction, end, session.retries, interval, mark, System.nanoTime() - start);
            }
        }
        return tally;
    }

    /** Waits while the queue is full; gives up when the run is broken off, since then no worker empties it. */
    private void put(Queued delivery) throws InterruptedException {
        while (!queue.offer(delivery, POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (interval.isBrokenOff()) {
                return;
            }
        }
    }

    /** A worker thread: carries out deliveries until the run is broken off, or there will be no more. */
    private Tally deliver() throws SQLException, InterruptedException {
        Tally tally = new Tally(run.scale());
        try (Session session = new Session(database)) {
            while (!interval.isBrokenOff()) {
                boolean last = closed;
                Queued next = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    End end = session.run(next.delivery());
                    long nanos = System.nanoTime() - next.since();
                    tally.add(next.delivery(), end, session.retries, interval, next.mark(), nanos);
                } else if (last) {
                    break;
                }
            }
        }
        return tally;
    }
}
