// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.derby.jdbc.EmbeddedDataSource;

/** A database in memory, loaded with a small scale. */
public final class TestDatabase implements AutoCloseable {
    static final Scale SCALE = new Scale(2, 3, 30, 200, 7);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Path backup;

    private final String name = "memory:tpcc" + NUMBER.incrementAndGet();
    /** Null unless changes can be undone. */
    private Connection shared;

    private Savepoint committed;

    /** Loaded once, then restored from a backup of that. */
    public static synchronized TestDatabase loaded() throws Exception {
        if (backup == null) {
            backup = backUp();
        }
        TestDatabase database = new TestDatabase();
        database.source("createFrom=" + backup).getConnection().close();
        return database;
    }

    private static Path backUp() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            Loader.load(database.source("create=true"), SCALE, fraction -> {});
            Path directory = Files.createTempDirectory(Path.of("target"), "tpcc-backup");
            database.execute(
                    "CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.deadlockTimeout', '1')",
                    "CALL SYSCS_UTIL.SYSCS_BACKUP_DATABASE('" + directory + "')");
            return directory.resolve(database.name.substring("memory:".length()));
        }
    }

    /**
     * A database whose changes {@link #undo} takes back: all who use it share one transaction, in which a commit sets a
     * savepoint, and a roll-back returns to it.
     */
    static TestDatabase undoable() throws Exception {
        TestDatabase database = loaded();
        database.shared = database.source("").getConnection();
        database.shared.setAutoCommit(false);
        database.committed = database.shared.setSavepoint();
        return database;
    }

    void undo() throws SQLException {
        shared.rollback();
        committed = shared.setSavepoint();
    }

    private Object inSharedTransaction(Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "commit" -> committed = shared.setSavepoint();
            case "rollback" -> shared.rollback(committed);
            case "close", "setAutoCommit", "setTransactionIsolation" -> {}
            default -> {
                try {
                    return method.invoke(shared, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        return null;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(TestDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private DataSource source(String attributes) {
        EmbeddedDataSource source = new EmbeddedDataSource();
        source.setDatabaseName(name);
        source.setConnectionAttributes(attributes);
        return source;
    }

    DataSource dataSource() {
        if (shared == null) {
            return source("");
        }
        Connection connection =
                proxy(Connection.class, (p, method, arguments) -> inSharedTransaction(method, arguments));
        return proxy(DataSource.class, (p, method, arguments) -> connection);
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    long number(String sql) throws SQLException {
        return amount(sql).longValueExact();
    }

    BigDecimal amount(String sql) throws SQLException {
        return new BigDecimal(row(sql));
    }

    /** The columns of the first row, with spaces between them. */
    String row(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new SQLException("no row: " + sql);
            }
            List<String> columns = new ArrayList<>();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                columns.add(row.getString(i));
            }
            return String.join(" ", columns);
        }
    }

    @Override
    public void close() {
        try {
            source("drop=true").getConnection().close();
        } catch (SQLException e) {
            // this is how Derby reports success
        }
    }
}
