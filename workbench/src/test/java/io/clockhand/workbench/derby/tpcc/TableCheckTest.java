// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableCheckTest {
    @Test
    void indexThatMissedChangesIsCaught(@TempDir Path directory) throws Exception {
        Path database = directory.resolve("database");
        assertThat(new Loader(database.toString(), new Scale(1, 2, 30, 200, 3)).perform(fraction -> {}))
                .isPositive();
        DataSource source = Database.open(database);
        assertThat(Consistency.brokenIndexes(source)).isEmpty();

        Path index;
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet number = statement.executeQuery("""
                        SELECT c.conglomeratenumber FROM sys.sysconglomerates c, sys.systables t
                        WHERE c.tableid = t.tableid AND t.tablename = 'STOCK' AND c.isindex
                        """)) {
            number.next();
            index = database.resolve("seg0/c" + Long.toHexString(number.getLong(1)) + ".dat");
        }
        Database.shutDown(database);
        Path earlier = Files.copy(index, directory.resolve("earlier"));
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM stock WHERE s_i_id = 17");
        }
        Database.shutDown(database);
        Files.copy(earlier, index, StandardCopyOption.REPLACE_EXISTING);

        assertThat(Consistency.brokenIndexes(source))
                .singleElement()
                .asString()
                .startsWith("SYSCS_CHECK_TABLE finds STOCK and its indexes inconsistent: ");
        Database.shutDown(database);
    }
}
