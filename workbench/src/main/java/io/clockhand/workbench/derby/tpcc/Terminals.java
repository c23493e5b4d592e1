// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.derby.tpcc.Inputs.Seats;
import io.clockhand.workbench.derby.tpcc.RunAnswer.Percentiles;
import io.clockhand.workbench.derby.tpcc.Session.End;
import io.clockhand.workbench.derby.tpcc.Session.Outcome;
import io.clockhand.workbench.environment.Child.Threads;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind.Deck;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.HdrHistogram.Histogram;

/** Terminals and delivery workers, which work together for one interval. */
final class Terminals {
    private final TpccRun run;
    private final DataSource database;
    private final Interval interval;
    private final DeliveryQueue queue;

    private Terminals(TpccRun run, DataSource database, Interval interval) {
        this.run = run;
        this.database = database;
        this.interval = interval;
        queue = new DeliveryQueue();
    }

    /** The counts of all threads; throws what broke the run off, if anything did. */
    static Tally run(TpccRun run, DataSource database, Observer observer) throws Exception {
        return new Terminals(run, database, Interval.of(run)).run(observer);
    }

    private Tally run(Observer observer) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Tally>> workers = start(threads, (run.terminals() + 3) / 4, number -> queue::work);
            List<Future<Tally>> terminals = start(threads, run.terminals(), Terminal::new);
            interval.follow(observer);
            Tally total = new Tally(run.scale());
            for (Future<Tally> terminal : terminals) {
                total.add(result(terminal));
            }
            queue.close();
            for (Future<Tally> worker : workers) {
                total.add(result(worker));
            }
            return total;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            interval.breakOff();
            threads.shutdown();
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
            System.err.println(Threads.dump());
            throw new IllegalStateException("a terminal or a delivery worker hangs; the log has all stacks", e);
        }
    }

    /** A client thread: deals a transaction, and waits for it, until the interval is over. */
    private final class Terminal implements Callable<Tally> {
        private final Tally tally = new Tally(run.scale());
        private final Draw draw;
        private final Inputs inputs;
        private final Seats seats;
        private final Deck deck;
        private final Selects selects;
        private final LongConsumer operations;

        Terminal(int number) {
            draw = new Draw(run.seed() * 1_000_003 + number);
            inputs = new Inputs(draw, Bounds.of(run.scale(), run.seed()));
            seats = new Seats(run.scale(), number, run.terminals());
            deck = new Deck(draw);
            selects = new Selects(draw, run.scale());
            operations = interval.counter(number);
        }

        @Override
        public Tally call() throws SQLException, InterruptedException {
            try (Session session = new Session(database)) {
                while (!interval.isOver()) {
                    perform(run.work() == Work.SELECTS ? selects : inputs.next(deck.deal(), seats.next(draw)), session);
                }
            }
            return tally;
        }

        private void perform(Transaction transaction, Session session) throws SQLException, InterruptedException {
            if (transaction instanceof Delivery delivery) {
                queue.put(delivery);
                return;
            }
            long mark = interval.mark();
            long start = System.nanoTime();
            Outcome outcome = session.run(transaction);
            long nanos = System.nanoTime() - start;
            if (outcome.end() == End.COMMITTED) {
                operations.accept(transaction.operations());
            }
            tally.add(transaction, outcome, interval, mark, nanos);
        }
    }

    /** The counts of one thread. Not thread-safe: one per thread, added up after its end. */
    static final class Tally {
        private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

        /**
         * By the names of transactions. A latency is known to one in a hundred: a third digit would cost eight times
         * the memory, which a thousand threads with five of these each would feel.
         */
        private final Map<String, Histogram> latencies = new TreeMap<>();

        /** The orders delivered in each district since the load, in the order of {@code Consistency.of}. */
        final int[] delivered;

        // Within the interval.
        long operations;
        long transactions;
        long retries;
        long errors;

        private final Scale scale;

        Tally(Scale scale) {
            this.scale = scale;
            delivered = new int[scale.allDistricts()];
        }

        private void add(Transaction transaction, Outcome outcome, Interval interval, long mark, long nanos) {
            if (!interval.counts()) {
                return;
            }
            retries += outcome.retries();
            if (outcome.end() == End.GIVEN_UP) {
                errors++;
                return;
            }
            transactions++;
            operations += outcome.end() == End.COMMITTED ? transaction.operations() : 0;
            if (interval.countsLatency(mark)) {
                histogram(transaction.name).recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), LONGEST_MICROS));
            }
        }

        private Histogram histogram(String name) {
            return latencies.computeIfAbsent(name, absent -> new Histogram(2));
        }

        void addDelivered(Delivery delivery) {
            delivery.delivered()
                    .forEach(order -> delivered[(order.warehouse() - 1) * scale.districts() + order.district() - 1]++);
        }

        private void add(Tally other) {
            operations += other.operations;
            transactions += other.transactions;
            retries += other.retries;
            errors += other.errors;
            other.latencies.forEach((name, histogram) -> histogram(name).add(histogram));
            for (int district = 0; district < delivered.length; district++) {
                delivered[district] += other.delivered[district];
            }
        }

        Map<String, Percentiles> percentiles() {
            Map<String, Percentiles> all = new TreeMap<>();
            latencies.forEach((name, histogram) -> all.put(
                    name,
                    new Percentiles(
                            histogram.getValueAtPercentile(50),
                            histogram.getValueAtPercentile(95),
                            histogram.getValueAtPercentile(99))));
            return all;
        }
    }

    /**
     * Deliveries are deferred (clause 2.7.2): a terminal only queues them, workers carry them out and record the
     * result.
     *
     * <p>There is one worker for every four terminals, at least one. The queue is bounded: terminals that never think
     * could fill it faster than the workers empty it, and then wait here.
     */
    private final class DeliveryQueue {
        private static final long POLL_MILLIS = 20;

        /** A latency of a delivery begins with its queueing. */
        private record Queued(Delivery delivery, long since, long mark) {}

        private final BlockingQueue<Queued> queued = new ArrayBlockingQueue<>(2 * run.terminals());
        /** Written by the thread of the run. */
        private volatile boolean closed;

        /** Waits while the queue is full; gives up when the run is broken off, since then no worker empties it. */
        void put(Delivery delivery) throws InterruptedException {
            Queued entry = new Queued(delivery, System.nanoTime(), interval.mark());
            while (!queued.offer(entry, POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (interval.isBrokenOff()) {
                    return;
                }
            }
        }

        /** No more deliveries come: the workers finish the queued ones and end. */
        void close() {
            closed = true;
        }

        /** The work of one worker thread. */
        Tally work() throws SQLException, InterruptedException {
            Tally tally = new Tally(run.scale());
            try (Session session = new Session(database)) {
                while (!interval.isBrokenOff()) {
                    boolean last = closed;
                    Queued next = queued.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                    if (next != null) {
                        carryOut(next, session, tally);
                    } else if (last) {
                        break;
                    }
                }
            }
            return tally;
        }

        private void carryOut(Queued next, Session session, Tally tally) throws SQLException {
            Outcome outcome = session.run(next.delivery());
            long nanos = System.nanoTime() - next.since();
            tally.add(next.delivery(), outcome, interval, next.mark(), nanos);
            if (outcome.end() == End.COMMITTED) {
                tally.addDelivered(next.delivery());
            }
        }
    }
}
