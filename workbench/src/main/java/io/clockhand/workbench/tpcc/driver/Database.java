// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.derby.jdbc.EmbeddedDataSource;

/** An embedded Derby database in a directory. */
final class Database {
    /** "Database shut down": Derby reports success as an exception. */
    private static final String SHUT_DOWN = "08006";

    private Database() {}

    static DataSource create(Path directory) {
        EmbeddedDataSource source = (EmbeddedDataSource) open(directory);
        source.setCreateDatabase("create");
        return source;
    }

    static DataSource open(Path directory) {
        EmbeddedDataSource source = new EmbeddedDataSource();
        source.setDatabaseName(directory.toString());
        return source;
    }

    /** Writes everything back and closes the files. */
    static void shutDown(Path directory) throws SQLException {
        EmbeddedDataSource source = new EmbeddedDataSource();
        source.setDatabaseName(directory.toString());
        source.setShutdownDatabase("shutdown");
        try {
            source.getConnection().close();
        } catch (SQLException e) {
            if (!SHUT_DOWN.equals(e.getSQLState())) {
                throw e;
            }
        }
    }
}
