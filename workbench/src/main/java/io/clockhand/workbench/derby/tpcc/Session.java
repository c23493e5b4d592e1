// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** A terminal's connection, serializable, with its statements prepared once. For one thread. */
final class Session implements AutoCloseable {
    /** Deadlock, lock time-out, lock time-out with the lock table printed. */
    private static final Set<String> RETRYABLE = Set.of("40001", "40XL1", "40XL2");

    /** How a transaction ended; a roll-back is the one that the input asked for. */
    enum End {
        COMMITTED,
        ROLLED_BACK,
        GIVEN_UP
    }

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    /** The attempts of the last transaction beyond its first; if it was given up, all but its last. */
    int retries;

    Session(DataSource database) throws SQLException {
        connection = database.getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    }

    /** All columns of the rows of a query. */
    List<Object[]> rows(String sql, Object... arguments) throws SQLException {
        return rows(Integer.MAX_VALUE, sql, arguments);
    }

    /** Fetches, and so locks, the first rows only. */
    private List<Object[]> rows(int most, String sql, Object... arguments) throws SQLException {
        List<Object[]> fetched = new ArrayList<>();
        try (ResultSet rows = bound(sql, arguments).executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (fetched.size() < most && rows.next()) {
                Object[] row = new Object[columns];
                for (int i = 0; i < columns; i++) {
                    row[i] = rows.getObject(i + 1);
                }
                fetched.add(row);
            }
        }
        return fetched;
    }

    /** The first row of a query; null if it has none. */
    Object[] rowIfAny(String sql, Object... arguments) throws SQLException {
        List<Object[]> rows = rows(1, sql, arguments);
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** The first row of a query that has one. */
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
    End run(Transaction transaction) throws SQLException {
        for (retries = 0; ; retries++) {
            try {
                if (transaction.execute(this)) {
                    connection.commit();
                    return End.COMMITTED;
                }
                connection.rollback();
                return End.ROLLED_BACK;
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
                    return End.GIVEN_UP;
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
