// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A connection whose statements and answers go into a transcript. For one thread. */
final class Session implements AutoCloseable {
    final Connection connection;
    private final List<String> transcript;

    Session(Connection connection, List<String> transcript) {
        this.connection = connection;
        this.transcript = transcript;
    }

    /** Work that may fail; the SQLState then belongs in the transcript. */
    @FunctionalInterface
    interface Attempt {
        void run() throws SQLException;
    }

    void note(String line) {
        transcript.add(line);
    }

    /** Executes a statement; its rows, its count or its SQLState are recorded, the values of its parameters are not. */
    void sql(String text, Object... parameters) {
        attempt(text, () -> {
            try (PreparedStatement statement = prepare(text, parameters)) {
                if (statement.execute()) {
                    try (ResultSet rows = statement.getResultSet()) {
                        int count = 0;
                        while (rows.next()) {
                            note("  " + Cells.row(rows));
                            count++;
                        }
                        note("  " + count + " rows");
                    }
                } else {
                    note("  count " + statement.getUpdateCount());
                }
                for (var warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                    note("  warning " + warning.getSQLState());
                }
            }
        });
    }

    /** Executes a statement for each number of a range, which stands for {@code :i} in it. */
    void each(String text, int from, int to) throws SQLException {
        long count = 0;
        try (PreparedStatement statement = connection.prepareStatement(text.replace(":i", "cast(? as int)"))) {
            int parameters = statement.getParameterMetaData().getParameterCount();
            for (int i = from; i < to; i++) {
                for (int p = 1; p <= parameters; p++) {
                    statement.setInt(p, i);
                }
                count += statement.executeUpdate();
            }
        }
        note(text + " for " + from + ".." + (to - 1) + "\n  count " + count);
    }

    /** Executes statements without a word about them. */
    void quietly(String... texts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                statement.execute(text);
            }
        }
    }

    /** Records the number of rows of a query and a checksum over them in their order. */
    void checksum(String query, Object... parameters) {
        attempt(query, () -> {
            try (PreparedStatement statement = prepare(query, parameters);
                    ResultSet rows = statement.executeQuery()) {
                note("  " + Cells.checksum(rows));
            }
        });
    }

    /** Records how something ended: well, or with which SQLStates. */
    void attempt(String what, Attempt attempt) {
        note(what);
        try {
            attempt.run();
        } catch (SQLException e) {
            note("  failed " + states(e));
        }
    }

    static String states(SQLException failure) {
        List<String> states = new ArrayList<>();
        for (SQLException e = failure; e != null; e = e.getNextException()) {
            states.add(String.valueOf(e.getSQLState()));
        }
        return String.join(" ", states);
    }

    /** {@return the only value of a query, which is not recorded} */
    long number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private PreparedStatement prepare(String text, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    void autoCommit(boolean on) throws SQLException {
        connection.setAutoCommit(on);
        note("autocommit " + on);
    }

    void commit() {
        attempt("commit", connection::commit);
    }

    void rollback() {
        attempt("rollback", connection::rollback);
    }

    /** Lets Derby compare every table of the schema with its indexes, and counts what the catalogs hold of it. */
    void check() {
        sql("select t.tablename, t.tabletype, case when t.tabletype = 'T'"
                + " then SYSCS_UTIL.SYSCS_CHECK_TABLE(s.schemaname, t.tablename) else 0 end"
                + " from sys.sysschemas s join sys.systables t on s.schemaid = t.schemaid"
                + " where s.schemaname = current schema order by 1");
        for (String catalog :
                List.of("SYSCONGLOMERATES", "SYSCONSTRAINTS", "SYSTRIGGERS", "SYSALIASES", "SYSSEQUENCES")) {
            sql("select count(*) from sys." + catalog
                    + " c join sys.sysschemas s on c.schemaid = s.schemaid where s.schemaname = current schema");
        }
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            connection.close();
        }
    }
}
