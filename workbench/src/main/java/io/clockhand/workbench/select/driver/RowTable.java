// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;

/** The one table: made, filled, and selected from. */
final class RowTable {
    static final String SELECT = "SELECT content FROM selected WHERE id = ?";

    private static final int BATCH = 1000;

    private RowTable() {}

    /** In the order of the keys; the primary key comes last, so that Derby sorts its index instead of growing it. */
    static void load(DataSource database, Rows rows, DoubleConsumer progress) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            execute(
                    connection,
                    "CREATE TABLE selected (id INT NOT NULL, content CHAR(" + Rows.CONTENT_BYTES
                            + ") FOR BIT DATA NOT NULL)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO selected VALUES (?, ?)")) {
                for (int key = 1; key <= rows.count(); key++) {
                    insert.setInt(1, key);
                    insert.setBytes(2, rows.content(key));
                    insert.addBatch();
                    if (key % BATCH == 0 || key == rows.count()) {
                        insert.executeBatch();
                        connection.commit();
                        progress.accept((double) key / rows.count());
                    }
                }
            }
            execute(connection, "ALTER TABLE selected ADD CONSTRAINT selected_pk PRIMARY KEY (id)");
            execute(connection, "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'SELECTED', NULL)");
            connection.commit();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
