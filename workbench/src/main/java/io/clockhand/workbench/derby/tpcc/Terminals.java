// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.derby.driver.Interval.Watch;
import io.clockhand.workbench.derby.driver.RunTask.Patience;
import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.derby.tpcc.Inputs.Seats;
import io.clockhand.workbench.derby.tpcc.Session.End;
import io.clockhand.workbench.derby.tpcc.Session.Outcome;
import io.clockhand.workbench.derby.tpcc.Terminals.Tally;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.Kind.Deck;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.HdrHistogram.Histogram;

/** Terminals and delivery workers, which work together for one interval. */
final class Terminals {
    private final TpccRun run;
    private final DataSource database;
    /** Those of threads that have ended: no other thread writes them any more. */
    private final Queue<Tally> ended = new ConcurrentLinkedQueue<>();

    final List<DeliveryQueue.Result> deliveries = new ArrayList<>();

    Terminals(TpccRun run, DataSource database) {
        this.run = run;
        this.database = database;
    }

    /** Throws what broke the run off, if anything did; the {@link #total} is good even then. */
    void run(Watch watch) throws Exception {
        Interval interval = run.task().interval();
        DeliveryQueue queue = new DeliveryQueue(database, interval, run.task().terminals());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<List<DeliveryQueue.Result>>> workers = new ArrayList<>();
            for (int i = 0; i < queue.workers(); i++) {
                Tally tally = new Tally();
                workers.add(threads.submit(handingIn(tally, interval, queue.new Worker(tally))));
            }
            Patience patience = run.task().patience(queue::carriedOut);
            run.task().perform(interval, watch, patience, number -> {
                Tally tally = new Tally();
                return handingIn(tally, interval, new Terminal(number, interval, queue, tally));
            });
            queue.close();
            patience.awaitAll("delivery workers", workers).forEach(deliveries::addAll);
        } finally {
            interval.breakOff();
            threads.shutdown();
        }
    }

    /** The work of a thread, whose tally counts from its end on; a failure breaks the run off. */
    <T> Callable<T> handingIn(Tally tally, Interval interval, Callable<T> work) {
        return () -> {
            try {
                return work.call();
            } catch (Throwable failure) {
                tally.addFailure();
                interval.breakOff();
                throw failure;
            } finally {
                ended.add(tally);
            }
        };
    }

    /** The counts of the threads that have ended: after a failure others may still be working. */
    Tally total() {
        Tally total = new Tally();
        ended.forEach(total::add);
        return total;
    }

    /** A client thread: deals a transaction, keys it in, waits for it, thinks, until the interval is over. */
    private final class Terminal implements Callable<Void> {
        private final Interval interval;
        private final DeliveryQueue queue;
        private final Tally tally;
        private final Draw draw;
        private final Inputs inputs;
        private final Seats seats;
        private final Deck deck;
        private final LongConsumer newOrders;

        Terminal(int number, Interval interval, DeliveryQueue queue, Tally tally) {
            this.interval = interval;
            this.queue = queue;
            this.tally = tally;
            draw = new Draw(run.task().seedOf(number));
            inputs = new Inputs(draw, Bounds.of(run.scale(), run.task().seed()));
            seats = new Seats(run.scale(), number, run.task().terminals());
            deck = new Deck(draw);
            newOrders = interval.counter(number);
        }

        @Override
        public Void call() throws SQLException, InterruptedException {
            try (Session session = new Session(database)) {
                while (!interval.isOver()) {
                    Kind kind = deck.deal();
                    pause(kind.keyingSeconds());
                    perform(inputs.next(kind, seats.next(draw)), session);
                    pause(-Math.log(1 - draw.fraction()) * kind.thinkSeconds(), 10 * kind.thinkSeconds());
                }
            }
            return null;
        }

        private void perform(Transaction transaction, Session session) throws SQLException, InterruptedException {
            if (interval.isOver()) {
                return;
            }
            if (transaction instanceof Delivery delivery) {
                queue.put(delivery);
                return;
            }
            long mark = interval.mark();
            long start = System.nanoTime();
            Session.Outcome outcome = session.run(transaction);
            long nanos = System.nanoTime() - start;
            if (transaction.kind == Kind.NEW_ORDER && outcome.end() == Session.End.COMMITTED) {
                newOrders.accept(1);
            }
            if (interval.counts()) {
                tally.add(transaction.kind, outcome);
                if (interval.countsLatency(mark)) {
                    tally.addLatency(transaction.kind, outcome, nanos);
                }
            }
        }

        /** Clause 5.2.5.4: a think time is ten times its mean at most. */
        private void pause(double seconds, int longestSeconds) throws InterruptedException {
            pause(Math.min(seconds, longestSeconds));
        }

        private void pause(double seconds) throws InterruptedException {
            if (run.keying()) {
                interval.pause((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
            }
        }
    }

    /** The counts of one thread within the interval. Not thread-safe: one per thread, added up after its end. */
    static final class Tally {
        private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
        /**
         * A latency is known to one in a hundred: a third digit would cost eight times the memory, which a thousand
         * threads with five of these each would feel.
         */
        private static final int DIGITS = 2;

        private final Map<Kind, Histogram> latencies = new EnumMap<>(Kind.class);
        private long newOrders;
        private long transactions;
        private long retries;
        private long errors;

        Tally() {
            for (Kind kind : Kind.values()) {
                latencies.put(kind, new Histogram(DIGITS));
            }
        }

        void add(Kind kind, Outcome outcome) {
            retries += outcome.retries();
            if (outcome.end() == End.GIVEN_UP) {
                errors++;
                return;
            }
            transactions++;
            if (kind == Kind.NEW_ORDER && outcome.end() == End.COMMITTED) {
                newOrders++;
            }
        }

        /** Of a transaction that was not given up. */
        void addLatency(Kind kind, Outcome outcome, long nanos) {
            if (outcome.end() != End.GIVEN_UP) {
                latencies.get(kind).recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), LONGEST_MICROS));
            }
        }

        void addFailure() {
            errors++;
        }

        void add(Tally other) {
            newOrders += other.newOrders;
            transactions += other.transactions;
            retries += other.retries;
            errors += other.errors;
            latencies.forEach((kind, histogram) -> histogram.add(other.latencies.get(kind)));
        }

        long newOrders() {
            return newOrders;
        }

        long transactions() {
            return transactions;
        }

        long retries() {
            return retries;
        }

        long errors() {
            return errors;
        }

        /** By the names of {@code tpcc.json}; null for a kind that never came. */
        Map<String, RunAnswer.Percentiles> percentiles() {
            Map<String, RunAnswer.Percentiles> all = new LinkedHashMap<>();
            latencies.forEach((kind, histogram) -> all.put(
                    kind.jsonName(),
                    histogram.getTotalCount() == 0
                            ? null
                            : new RunAnswer.Percentiles(
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
    static final class DeliveryQueue {
        private static final int TERMINALS_PER_WORKER = 4;
        private static final long POLL_MILLIS = 20;

        /** The record that clause 2.7.2.2 asks for; times in {@link System#nanoTime}. */
        record Result(long queued, long completed, List<Delivery.Delivered> delivered) {}

        private record Queued(Delivery delivery, long since, long mark) {}

        private final DataSource database;
        private final Interval interval;
        private final BlockingQueue<Queued> queue;
        private final int workers;
        private final LongAdder carriedOut = new LongAdder();
        private volatile boolean closed;

        DeliveryQueue(DataSource database, Interval interval, int terminals) {
            this.database = database;
            this.interval = interval;
            this.queue = new ArrayBlockingQueue<>(2 * terminals);
            this.workers = (terminals + TERMINALS_PER_WORKER - 1) / TERMINALS_PER_WORKER;
        }

        /** How many deliveries the workers are done with, however they ended. */
        long carriedOut() {
            return carriedOut.sum();
        }

        int workers() {
            return workers;
        }

        /** Waits while the queue is full; gives up when the run is broken off, since then no worker empties it. */
        void put(Delivery delivery) throws InterruptedException {
            Queued entry = new Queued(delivery, System.nanoTime(), interval.mark());
            while (!queue.offer(entry, POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (interval.isBrokenOff()) {
                    return;
                }
            }
        }

        /** No more deliveries come: the workers finish the queued ones and end. */
        void close() {
            closed = true;
        }

        /** One worker thread's work. */
        final class Worker implements Callable<List<Result>> {
            private final Tally tally;

            Worker(Tally tally) {
                this.tally = tally;
            }

            @Override
            public List<Result> call() throws SQLException, InterruptedException {
                List<Result> results = new ArrayList<>();
                try (Session session = new Session(database)) {
                    while (!interval.isBrokenOff()) {
                        boolean last = closed;
                        Queued next = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                        if (next != null) {
                            carryOut(next, session, results);
                        } else if (last) {
                            break;
                        }
                    }
                }
                return results;
            }

            private void carryOut(Queued queued, Session session, List<Result> results) throws SQLException {
                Delivery delivery = queued.delivery();
                Session.Outcome outcome = session.run(delivery);
                long now = System.nanoTime();
                carriedOut.increment();
                if (interval.counts()) {
                    tally.add(delivery.kind, outcome);
                    if (interval.countsLatency(queued.mark())) {
                        tally.addLatency(delivery.kind, outcome, now - queued.since());
                    }
                }
                if (outcome.end() == Session.End.COMMITTED) {
                    results.add(new Result(queued.since(), now, delivery.delivered()));
                }
            }
        }

        /** How many orders were delivered in each district, in the order of {@code Consistency.of}. */
        static int[] deliveredByDistrict(Scale scale, List<Result> results) {
            int[] delivered = new int[scale.allDistricts()];
            for (Result result : results) {
                for (Delivery.Delivered order : result.delivered()) {
                    delivered[(order.warehouse() - 1) * scale.districts() + order.district() - 1]++;
                }
            }
            return delivered;
        }
    }
}
