// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** A terminal's connection, serializable, with its statements prepared once. For one thread. */
public final class Session implements AutoCloseable {
    /** Deadlock, lock time-out, lock time-out with the lock table printed. */
    private static final Set<String> RETRYABLE = Set.of("40001", "40XL1", "40XL2");

    /** How a transaction ended; a roll-back is the one that the input asked for. */
    public enum End {
        COMMITTED,
        ROLLED_BACK,
        GIVEN_UP
    }

    /**
     * How it ended and after how many retries.
     *
     * @param retries attempts beyond the first; after {@link End#GIVEN_UP} every attempt but the last
     */
    public record Outcome(End end, int retries) {}

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    public Session(DataSource database) throws SQLException {
        connection = database.getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    }

    /** The rows of a query; running it again closes them. */
    ResultSet query(String sql, Object... arguments) throws SQLException {
        return bound(sql, arguments).executeQuery();
    }

    /** All columns of the first row of a query; null if it has none. */
    Object[] rowIfAny(String sql, Object... arguments) throws SQLException {
        try (ResultSet rows = query(sql, arguments)) {
            if (!rows.next()) {
                return null;
            }
            Object[] row = new Object[rows.getMetaData().getColumnCount()];
            for (int i = 0; i < row.length; i++) {
                row[i] = rows.getObject(i + 1);
            }
            return row;
        }
    }

    /** All columns of the first row of a query that has one. */
    Object[] row(String sql, Object... arguments) throws SQLException {
        Object[] row = rowIfAny(sql, arguments);
        if (row == null) {
            throw new SQLException("no row where TPC-C always has one: " + sql);
        }
        return row;
    }

    /** An update of exactly one row. */
    void updateOne(String sql, Object... arguments) throws SQLException {
        int rows = update(sql, arguments);
        if (rows != 1) {
            throw new SQLException(rows + " rows instead of one: " + sql);
        }
    }

    int update(String sql, Object... arguments) throws SQLException {
        return bound(sql, arguments).executeUpdate();
    }

    private PreparedStatement bound(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
        return statement;
    }

    /** Runs a transaction to its end: again after a deadlock or a lock time-out, up to ten times. */
    Outcome run(Transaction transaction) throws SQLException {
        for (int retries = 0; ; retries++) {
            try {
                if (!transaction.execute(this)) {
                    connection.rollback();
                    return new Outcome(End.ROLLED_BACK, retries);
                }
                connection.commit();
                return new Outcome(End.COMMITTED, retries);
            } catch (SQLException e) {
                try {
                    connection.rollback();
                } catch (SQLException second) {
                    e.addSuppressed(second);
                    throw e;
                }
                if (e.getSQLState() == null || !RETRYABLE.contains(e.getSQLState())) {
                    throw e;
                }
                if (retries == 10) {
                    return new Outcome(End.GIVEN_UP, retries);
                }
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
