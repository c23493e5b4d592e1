// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import io.clockhand.derby.DerbyHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Where a scenario plays: an engine, a schema of its own in a database that all share, a folder for what it needs. */
final class Stage {
    static final String SHARED = "shared";
    private static final long PATIENCE_SECONDS = 240;

    final DerbyHost host;
    final Path folder;
    final List<String> transcript = new ArrayList<>();
    final String schema;

    Stage(DerbyHost host, Path folder, String schema) {
        this.host = host;
        this.folder = folder;
        this.schema = schema;
    }

    /** {@return a session in the scenario's schema of the shared database} */
    Session open() throws SQLException {
        return open(SHARED);
    }

    /** {@return a session with another database, in the scenario's schema as far as it is there} */
    Session open(String database) throws SQLException {
        return session(host.connect(database));
    }

    /** {@return a session with a new database, whose name may carry attributes} */
    Session create(String database) throws SQLException {
        return session(host.create(database));
    }

    /** Others may have the catalogs locked, for longer than the time after which Derby gives up. */
    private Session session(Connection connection) throws SQLException {
        retried(connection, () -> setSchema(connection));
        return new Session(connection, transcript);
    }

    private void setSchema(Connection connection) throws SQLException {
        try (var sql = connection.createStatement()) {
            try {
                sql.execute("set schema " + schema);
            } catch (SQLException notThere) {
                if (connection.isReadOnly() || !"42Y07".equals(notThere.getSQLState())) {
                    throw notThere;
                }
                sql.execute("create schema " + schema);
                sql.execute("set schema " + schema);
            }
        }
    }

    /** Prepares a statement, however often Derby gives up to wait for the catalogs. */
    static PreparedStatement prepared(Connection connection, String text) throws SQLException {
        PreparedStatement[] prepared = new PreparedStatement[1];
        retried(connection, () -> prepared[0] = connection.prepareStatement(text));
        return prepared[0];
    }

    /** {@return a name for a database of the scenario's own, relative to the home of the engine} */
    String database(String name) {
        return schema.toLowerCase(java.util.Locale.ROOT) + "-" + name;
    }

    Path home(String database) {
        return folder.resolveSibling(database);
    }

    /** Records how an attempt to connect ends. */
    void connectAttempt(String label, String database) {
        transcript.add("connect " + label);
        try {
            host.connect(database).close();
        } catch (SQLException e) {
            transcript.add("  failed " + Session.states(e));
        }
    }

    Path subfolder(String name) throws Exception {
        return Files.createDirectories(folder.resolve(name));
    }

    /** Runs threads side by side, each with its number, and rethrows what fails. */
    <T> List<T> together(int threads, Numbered<T> work) throws Exception {
        List<Callable<T>> tasks = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            tasks.add(() -> work.run(number));
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(tasks, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    /** The work of one of several threads. */
    @FunctionalInterface
    interface Numbered<T> {
        T run(int number) throws Exception;
    }

    /** A transaction, or a statement, that may be done again. */
    @FunctionalInterface
    interface Transaction {
        void run() throws SQLException;
    }

    /** Commits a transaction, however often Derby rolls it back for the sake of others. */
    static void retried(Connection connection, Transaction transaction) throws SQLException {
        for (int attempt = 0; ; attempt++) {
            try {
                transaction.run();
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
                return;
            } catch (SQLTransactionRollbackException e) {
                if (attempt == 200) {
                    throw e;
                }
            }
        }
    }
}
