// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.derby.jdbc.EmbeddedDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableCheckTest {
    private static final Scale TINY = new Scale(1, 2, 30, 200, 3);

    @TempDir
    private Path directory;

    private EmbeddedDataSource source() {
        EmbeddedDataSource source = new EmbeddedDataSource();
        source.setDatabaseName(directory.resolve("database").toString());
        return source;
    }

    private void load() throws SQLException {
        EmbeddedDataSource creator = source();
        creator.setCreateDatabase("create");
        new Loader(creator, TINY).load();
    }

    private void shutDown() {
        EmbeddedDataSource stopper = source();
        stopper.setShutdownDatabase("shutdown");
        assertThatThrownBy(stopper::getConnection).hasMessageContaining("shutdown");
    }

    /** The file of the index that the primary key of STOCK has. */
    private Path index() throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet number = statement.executeQuery("""
                        SELECT c.conglomeratenumber FROM sys.sysconglomerates c, sys.systables t
                        WHERE c.tableid = t.tableid AND t.tablename = 'STOCK' AND c.isindex
                        """)) {
            number.next();
            return directory.resolve("database/seg0/c" + Long.toHexString(number.getLong(1)) + ".dat");
        }
    }

    @Test
    void indexThatMissedChangesIsCaught() throws SQLException, IOException {
        load();
        assertThat(Consistency.brokenIndexes(source())).isEmpty();

        Path index = index();
        Path earlier = directory.resolve("earlier");
        shutDown();
        Files.copy(index, earlier);
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM stock WHERE s_i_id = 17");
        }
        shutDown();
        Files.copy(earlier, index, StandardCopyOption.REPLACE_EXISTING);

        assertThat(Consistency.brokenIndexes(source()))
                .singleElement()
                .asString()
                .startsWith("SYSCS_CHECK_TABLE finds STOCK and its indexes inconsistent: ");
        shutDown();
    }
}
