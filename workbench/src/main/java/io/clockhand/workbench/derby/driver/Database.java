// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.apache.derby.jdbc.EmbeddedDataSource;

/** An embedded Derby database in a directory. */
public final class Database {
    private Database() {}

    /** Makes a database in a directory that does not exist yet. */
    public static DataSource create(Path directory) {
        return open(directory, "create=true");
    }

    public static DataSource open(Path directory) {
        return open(directory, "");
    }

    private static DataSource open(Path directory, String attributes) {
        EmbeddedDataSource source = new EmbeddedDataSource();
        source.setDatabaseName(directory.toString());
        source.setConnectionAttributes(attributes);
        return source;
    }

    /** Writes everything back and closes the files. */
    public static void shutDown(Path directory) throws SQLException {
        try {
            open(directory, "shutdown=true").getConnection().close();
        } catch (SQLException e) {
            if (!"08006".equals(e.getSQLState())) { // by which Derby reports success
                throw e;
            }
        }
    }

    /**
     * The allocated pages of all tables and indexes, catalogues included: the pages of a pool that holds everything.
     */
    public static long allocatedPages(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet pages = statement.executeQuery("""
                        SELECT SUM(p.numallocatedpages)
                        FROM sys.sysschemas s, sys.systables t,
                            TABLE (SYSCS_DIAG.SPACE_TABLE(s.schemaname, t.tablename)) p
                        WHERE s.schemaid = t.schemaid AND t.tabletype IN ('T', 'S')
                        """)) {
            pages.next();
            return pages.getLong(1);
        }
    }
}
