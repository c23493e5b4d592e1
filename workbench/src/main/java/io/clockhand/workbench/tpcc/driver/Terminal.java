// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.tpcc.load.Draw;
import io.clockhand.workbench.tpcc.transactions.Attempts;
import io.clockhand.workbench.tpcc.transactions.Deck;
import io.clockhand.workbench.tpcc.transactions.Delivery;
import io.clockhand.workbench.tpcc.transactions.Inputs;
import io.clockhand.workbench.tpcc.transactions.Kind;
import io.clockhand.workbench.tpcc.transactions.Seats;
import io.clockhand.workbench.tpcc.transactions.Session;
import io.clockhand.workbench.tpcc.transactions.Transaction;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** A client thread: deals a transaction, keys it in, waits for it, thinks, until the interval is over. */
final class Terminal implements Callable<Void> {
    private final DataSource database;
    private final Interval interval;
    private final DeliveryQueue deliveries;
    private final Seats seats;
    private final Inputs inputs;
    private final Deck deck;
    private final Draw draw;
    private final boolean keying;
    private final Tally tally;
    private final LongConsumer newOrders;

    Terminal(
            DataSource database,
            Interval interval,
            DeliveryQueue deliveries,
            Seats seats,
            Inputs inputs,
            Draw draw,
            boolean keying,
            Tally tally,
            LongConsumer newOrders) {
        this.database = database;
        this.interval = interval;
        this.deliveries = deliveries;
        this.seats = seats;
        this.inputs = inputs;
        this.deck = new Deck(draw);
        this.draw = draw;
        this.keying = keying;
        this.tally = tally;
        this.newOrders = newOrders;
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
        } catch (Throwable failure) {
            tally.addFailure();
            interval.breakOff();
            throw failure;
        }
        return null;
    }

    private void perform(Transaction transaction, Session session) throws SQLException, InterruptedException {
        if (interval.isOver()) {
            return;
        }
        if (transaction instanceof Delivery delivery) {
            deliveries.put(delivery);
            return;
        }
        long mark = interval.mark();
        long start = System.nanoTime();
        Attempts.Outcome outcome = Attempts.run(transaction, session);
        long nanos = System.nanoTime() - start;
        if (transaction.kind() == Kind.NEW_ORDER && outcome.end() == Attempts.End.COMMITTED) {
            newOrders.accept(1);
        }
        if (interval.counts()) {
            tally.add(transaction.kind(), outcome);
            if (interval.countsLatency(mark)) {
                tally.addLatency(transaction.kind(), outcome, nanos);
            }
        }
    }

    /** Clause 5.2.5.4: a think time is ten times its mean at most. */
    private void pause(double seconds, int longestSeconds) throws InterruptedException {
        pause(Math.min(seconds, longestSeconds));
    }

    private void pause(double seconds) throws InterruptedException {
        if (keying) {
            interval.pause((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
        }
    }
}
