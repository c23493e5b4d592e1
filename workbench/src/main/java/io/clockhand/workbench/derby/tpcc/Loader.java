// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Makes the nine tables and fills them.
 *
 * <p>Each table is one bulk insert from a virtual table, so that Derby sorts its indexes instead of growing them row
 * by row and logs next to nothing. Two tables are filled at a time; ORDER_LINE comes first with half of all rows.
 *
 * @param directory that does not exist yet
 */
record Loader(String directory, Scale scale) implements Order<Long> {
    /** Returns the allocated pages. */
    @Override
    public Long perform(DoubleConsumer progress) throws SQLException {
        Path path = Path.of(directory);
        DataSource database = Database.create(path);
        load(database, scale, progress);
        long allocatedPages = Database.allocatedPages(database);
        Database.shutDown(path);
        return allocatedPages;
    }

    /** Loads everything and updates Derby's statistics. */
    static void load(DataSource database, Scale scale, DoubleConsumer progress) throws SQLException {
        for (Table table : Table.values()) {
            execute(database, table.createStatements());
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<Void>> inserts = Stream.of(Table.values())
                .sorted(Comparator.reverseOrder())
                .map(table -> threads.submit(() -> bulkInsert(database, table, scale)))
                .toList();
        threads.shutdown();
        try {
            while (!threads.awaitTermination(500, TimeUnit.MILLISECONDS)) {
                progress.accept(Math.min(1, PopulationResultSet.rowsTaken() / expectedRows(scale)));
            }
            for (Future<Void> insert : inserts) {
                insert.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e);
        }
        for (Table table : Table.values()) {
            execute(database, List.of("CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', '" + table.name() + "', NULL)"));
        }
    }

    private static Void bulkInsert(DataSource database, Table table, Scale scale) throws SQLException {
        execute(
                database,
                List.of("CALL SYSCS_UTIL.SYSCS_BULK_INSERT('APP', '" + table.name() + "', '"
                        + PopulationResultSet.class.getName() + "', '" + scale.asText() + "')"));
        return null;
    }

    /** Ten lines to an order on average. */
    private static double expectedRows(Scale scale) {
        double perDistrict = scale.customers() * 2 + scale.orders() * 11 + scale.orders() * 0.3;
        return scale.allDistricts() * perDistrict + scale.items() * (scale.warehouses() + 1.0);
    }

    private static void execute(DataSource database, List<String> statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
