// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.derby.tpcc.Terminals.Tally;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * Deliveries are deferred (clause 2.7.2): a terminal only queues them, workers carry them out and record the result.
 *
 * <p>There is one worker for every four terminals, at least one. The queue is bounded: terminals that never think
 * could fill it faster than the workers empty it, and then wait here.
 */
final class DeliveryQueue {
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
            } catch (Throwable failure) {
                tally.addFailure();
                interval.breakOff();
                throw failure;
            }
            return results;
        }

        private void carryOut(Queued queued, Session session, List<Result> results) throws SQLException {
            Delivery delivery = queued.delivery();
            Session.Outcome outcome = session.run(delivery);
            long now = System.nanoTime();
            carriedOut.increment();
            if (interval.counts()) {
                tally.add(delivery.kind(), outcome);
                if (interval.countsLatency(queued.mark())) {
                    tally.addLatency(delivery.kind(), outcome, now - queued.since());
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
