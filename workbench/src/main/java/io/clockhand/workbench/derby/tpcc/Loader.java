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
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
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
    public Long perform(DoubleConsumer progress) throws Exception {
        Path path = Path.of(directory);
        DataSource database = Database.create(path);
        load(database, scale, progress);
        long allocatedPages = Database.allocatedPages(database);
        Database.shutDown(path);
        return allocatedPages;
    }

    /** Loads everything and updates Derby's statistics; after a failure no further table is filled. */
    static void load(DataSource database, Scale scale, DoubleConsumer progress) throws Exception {
        Table[] tables = Table.values();
        for (Table table : tables) {
            execute(database, table.createStatements());
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            CompletionService<Void> inserts = new ExecutorCompletionService<>(threads);
            for (int i = tables.length - 1; i >= 0; i--) {
                Table table = tables[i];
                inserts.submit(() -> call(
                        database,
                        table,
                        "BULK_INSERT",
                        ", '" + PopulationResultSet.class.getName() + "', '" + scale.asText() + "'"));
            }
            for (int filled = 0; filled < tables.length; ) {
                progress.accept((double) filled / tables.length);
                Future<Void> ended = inserts.poll(1, TimeUnit.SECONDS);
                if (ended != null) {
                    ended.get();
                    filled++;
                }
            }
        } finally {
            threads.shutdownNow();
        }
        for (Table table : tables) {
            call(database, table, "UPDATE_STATISTICS", ", NULL");
        }
    }

    /** Calls one of Derby's procedures for a table. */
    private static Void call(DataSource database, Table table, String procedure, String arguments) throws SQLException {
        execute(database, List.of("CALL SYSCS_UTIL.SYSCS_" + procedure + "('APP', '" + table + "'" + arguments + ")"));
        return null;
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
