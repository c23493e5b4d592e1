// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.derby.driver.Patience;
import io.clockhand.workbench.derby.driver.Watch;
import io.clockhand.workbench.tpcc.load.Draw;
import io.clockhand.workbench.tpcc.transactions.Bounds;
import io.clockhand.workbench.tpcc.transactions.Inputs;
import io.clockhand.workbench.tpcc.transactions.Seats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Terminals and delivery workers, started together for one interval. */
final class Measurement {
    private final RunOrder order;
    private final DataSource database;
    private final List<Tally> tallies = new ArrayList<>();
    private final List<DeliveryQueue.Result> deliveries = new ArrayList<>();

    Measurement(RunOrder order, DataSource database) {
        this.order = order;
        this.database = database;
    }

    /** Throws what broke the run off, if anything did; the tallies are good even then. */
    void run(Watch watch) throws Exception {
        Interval interval = order.slices() == null
                ? Interval.timed(order.warmupSeconds(), order.seconds(), order.leastNewOrders())
                : Interval.sliced(order.slices());
        DeliveryQueue queue = new DeliveryQueue(database, interval, order.terminals());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<List<DeliveryQueue.Result>>> workers = new ArrayList<>();
            for (int i = 0; i < queue.workers(); i++) {
                workers.add(threads.submit(queue.new Worker(tally())));
            }
            List<Future<Void>> terminals = new ArrayList<>();
            for (int i = 0; i < order.terminals(); i++) {
                terminals.add(threads.submit(terminal(i, interval, queue)));
            }
            interval.follow(watch);
            Patience patience = new Patience(TimeUnit.SECONDS.toNanos(order.hangSeconds()), queue::carriedOut);
            patience.awaitAll("terminals", terminals);
            queue.close();
            patience.awaitAll("delivery workers", workers).forEach(deliveries::addAll);
        } finally {
            interval.breakOff();
            threads.shutdown();
        }
    }

    private Terminal terminal(int number, Interval interval, DeliveryQueue queue) {
        Draw draw = new Draw(order.seed() * 1_000_003 + number);
        Inputs inputs = new Inputs(draw, Bounds.of(order.scale(), order.seed()));
        Seats seats = new Seats(order.scale(), number, order.terminals());
        return new Terminal(
                database, interval, queue, seats, inputs, draw, order.keying(), tally(), interval.counter(number));
    }

    private Tally tally() {
        Tally tally = new Tally();
        tallies.add(tally);
        return tally;
    }

    Tally total() {
        Tally total = new Tally();
        tallies.forEach(total::add);
        return total;
    }

    List<DeliveryQueue.Result> deliveries() {
        return List.copyOf(deliveries);
    }
}
