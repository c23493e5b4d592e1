// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.load;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Makes the nine tables and fills them.
 *
 * <p>Each table is one bulk insert from a table function, so that Derby sorts its indexes instead of growing them row
 * by row and logs next to nothing; two tables are filled at a time.
 */
public final class Loader {
    private final DataSource database;
    private final Scale scale;

    public Loader(DataSource database, Scale scale) {
        this.database = database;
        this.scale = scale;
    }

    /**
     * Loads everything and updates Derby's statistics.
     *
     * @param onTable told the name of each table as soon as it is full, from several threads
     */
    public void load(Consumer<Table> onTable) throws SQLException {
        for (Table table : Table.values()) {
            execute(table.createStatements());
            execute(List.of(table.createFunctionStatement()));
        }
        fill(onTable);
        for (Table table : Table.values()) {
            execute(List.of(table.dropFunctionStatement(), statisticsStatement(table)));
        }
    }

    /** Order lines are half of all rows: they go first, the others beside them. */
    private void fill(Consumer<Table> onTable) throws SQLException {
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
                        execute(List.of(table.bulkLoadStatement(scale)));
                        onTable.accept(table);
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

    /** The allocated pages of all tables and indexes, catalogues included: what a pool would have to hold. */
    public static long allocatedPages(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet pages = statement.executeQuery("""
                        SELECT SUM(p.numallocatedpages)
                        FROM sys.systables t JOIN sys.sysschemas s ON t.schemaid = s.schemaid,
                            TABLE (SYSCS_DIAG.SPACE_TABLE(s.schemaname, t.tablename)) p
                        WHERE t.tabletype IN ('T', 'S')
                        """)) {
            pages.next();
            return pages.getLong(1);
        }
    }
}
