// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.derby.tpcc.Inputs.Seats;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind.Deck;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Terminals that never think, carry out their deliveries themselves, and report each commit when it is done. */
final class ReportingTerminals {
    private final CrashOrder order;
    private final DataSource database;
    /** Takes the receipts of one transaction; is called by all terminals. */
    private final Consumer<List<String>> reports;

    ReportingTerminals(CrashOrder order, DataSource database, Consumer<List<String>> reports) {
        this.order = order;
        this.database = database;
        this.reports = reports;
    }

    /** Returns when every terminal has executed its number of transactions, or throws the failure of one. */
    void run(int transactions) throws SQLException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(order.terminals());
        try {
            List<Future<?>> terminals = new ArrayList<>();
            for (int i = 0; i < order.terminals(); i++) {
                int number = i;
                terminals.add(threads.submit(() -> {
                    work(number, transactions);
                    return null;
                }));
            }
            for (Future<?> terminal : terminals) {
                terminal.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private void work(int number, int transactions) throws SQLException {
        Draw draw = new Draw(order.seed() * 1_000_003 + number);
        Inputs inputs = new Inputs(draw, Bounds.of(order.scale(), order.seed()));
        Seats seats = new Seats(order.scale(), number, order.terminals());
        Deck deck = new Deck(draw);
        try (Session session = new Session(database)) {
            for (int i = 0; i < transactions; i++) {
                Transaction transaction = inputs.next(deck.deal(), seats.next(draw));
                if (session.run(transaction).end() == Session.End.COMMITTED) {
                    reports.accept(Receipts.of(transaction));
                }
            }
        }
    }
}
