// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Makes the nine tables and fills them.
 *
 * <p>Each table is one bulk insert from a virtual table, so that Derby sorts its indexes instead of growing them row
 * by row and logs next to nothing; two tables are filled at a time.
 */
public final class Loader {
    private final DataSource database;
    private final Scale scale;

    public Loader(DataSource database, Scale scale) {
        this.database = database;
        this.scale = scale;
    }

    /** Loads everything and updates Derby's statistics. */
    public void load() throws SQLException {
        for (Table table : Table.values()) {
            execute(table.createStatements());
        }
        fill();
        for (Table table : Table.values()) {
            execute(List.of(statisticsStatement(table)));
        }
    }

    /** Order lines are half of all rows: they go first, the others concurrently. */
    private void fill() throws SQLException {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> tables = Stream.of(
                            Table.ORDER_LINE,
                            Table.STOCK,
                            Table.CUSTOMER,
                            Table.ORDERS,
                            Table.HISTORY,
                            Table.ITEM,
                            Table.NEW_ORDER,
                            Table.DISTRICT,
                            Table.WAREHOUSE)
                    .<Future<?>>map(table -> threads.submit(() -> {
                        execute(List.of(bulkInsertStatement(table)));
                        return null;
                    }))
                    .toList();
            for (Future<?> table : tables) {
                table.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while loading", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The part of all rows that Derby has taken so far, 0 … 1; from any thread. */
    public double progress() {
        return Math.min(1, PopulationResultSet.rowsTaken() / expectedRows());
    }

    /** Ten lines to an order on average. */
    private double expectedRows() {
        double perDistrict = scale.customers() * 2 + scale.orders() * 11 + scale.orders() * 0.3;
        return scale.allDistricts() * perDistrict + scale.items() * (scale.warehouses() + 1.0);
    }

    private String bulkInsertStatement(Table table) {
        return "CALL SYSCS_UTIL.SYSCS_BULK_INSERT('APP', '" + table.name() + "', '"
                + PopulationResultSet.class.getName() + "', '" + scale.asText() + "')";
    }

    private static String statisticsStatement(Table table) {
        return "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', '" + table.name() + "', NULL)";
    }

    private void execute(List<String> statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Loads a database of this scale into a directory that does not exist yet. */
    record Load(String directory, Scale scale) implements Order<Database.Loaded> {
        @Override
        public Database.Loaded perform(DoubleConsumer progress) throws SQLException {
            return Database.load(Path.of(directory), database -> {
                Loader loader = new Loader(database, scale);
                ScheduledExecutorService reporter = Executors.newSingleThreadScheduledExecutor();
                ScheduledFuture<?> reports =
                        reporter.scheduleAtFixedRate(() -> progress.accept(loader.progress()), 0, 500, MILLISECONDS);
                try {
                    loader.load();
                } finally {
                    reports.cancel(false);
                    reporter.shutdownNow();
                }
            });
        }
    }
}
