// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.derby.jdbc.EmbeddedDataSource;

/** A database in memory, loaded with a small scale. */
public final class TestDatabase implements AutoCloseable {
    public static final Scale SCALE = new Scale(2, 3, 30, 200, 7);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Path backup;

    /** Null unless changes can be undone. */
    private DataSource shared;

    private final String name = "memory:tpcc" + NUMBER.incrementAndGet();

    /** Loaded once, then restored from a backup of that. */
    public static synchronized TestDatabase loaded() throws SQLException {
        if (backup == null) {
            backup = backUp();
        }
        TestDatabase database = new TestDatabase();
        EmbeddedDataSource restorer = database.source();
        restorer.setConnectionAttributes("createFrom=" + backup);
        restorer.getConnection().close();
        return database;
    }

    private static Path backUp() throws SQLException {
        try (TestDatabase database = new TestDatabase()) {
            EmbeddedDataSource creator = database.source();
            creator.setCreateDatabase("create");
            Loader.load(creator, SCALE, fraction -> {});
            Path directory = Files.createTempDirectory(Path.of("target"), "tpcc-backup");
            database.execute("CALL SYSCS_UTIL.SYSCS_BACKUP_DATABASE('" + directory + "')");
            return directory.resolve(database.name.substring("memory:".length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A database whose changes {@link #undo} takes back: all who use it share one connection, which never commits. */
    static TestDatabase undoable() throws SQLException {
        TestDatabase database = loaded();
        Connection connection = database.source().getConnection();
        connection.setAutoCommit(false);
        Connection unclosed = proxy(
                Connection.class,
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
        database.shared = proxy(DataSource.class, (proxy, method, arguments) -> unclosed);
        return database;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(TestDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    void undo() throws SQLException {
        shared.getConnection().rollback();
    }

    private EmbeddedDataSource source() {
        EmbeddedDataSource source = new EmbeddedDataSource();
        source.setDatabaseName(name);
        return source;
    }

    public DataSource dataSource() {
        return shared == null ? source() : shared;
    }

    public void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    public long number(String sql) throws SQLException {
        return amount(sql).longValueExact();
    }

    public BigDecimal amount(String sql) throws SQLException {
        return new BigDecimal(row(sql));
    }

    /** The columns of the first row, with spaces between them. */
    public String row(String sql) throws SQLException {
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
        EmbeddedDataSource dropper = source();
        dropper.setConnectionAttributes("drop=true");
        try {
            dropper.getConnection().close();
        } catch (SQLException e) {
            // this is how Derby reports success
        }
    }
}
