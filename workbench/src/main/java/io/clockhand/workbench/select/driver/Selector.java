// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A connection with its prepared statement; counts the rows that are not as they should be. Not thread-safe. */
final class Selector implements AutoCloseable {
    /** Enough to make the commit a small part of the work. */
    static final int SELECTS_PER_COMMIT = 100;

    private final Rows rows;
    private final Connection connection;
    private final PreparedStatement statement;
    private long wrongRows;
    private String firstWrong;

    Selector(DataSource database, Rows rows) throws SQLException {
        this.rows = rows;
        connection = database.getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        statement = connection.prepareStatement(RowTable.SELECT);
    }

    void select(int key) throws SQLException {
        statement.setInt(1, key);
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                addWrong("row " + key + " was not found");
            } else if (!rows.isContent(key, row.getBytes(1))) {
                addWrong("row " + key + " has a content that is not its own");
            }
        }
    }

    private void addWrong(String what) {
        wrongRows++;
        firstWrong = firstWrong == null ? what : firstWrong;
    }

    void commit() throws SQLException {
        connection.commit();
    }

    long wrongRows() {
        return wrongRows;
    }

    /** In words; null if all were right. */
    String firstWrong() {
        return firstWrong;
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
