// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.derby.select.Selects.Selector;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.derby.jdbc.EmbeddedDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SelectorTest {
    private static final Rows ROWS = new Rows(2500, 5);

    private final EmbeddedDataSource database = new EmbeddedDataSource();
    private final List<Double> progress = new ArrayList<>();

    @BeforeEach
    void load() throws SQLException {
        database.setDatabaseName("memory:select");
        database.setCreateDatabase("create");
        ROWS.load(database, progress::add);
    }

    @AfterEach
    void drop() {
        database.setCreateDatabase(null);
        database.setConnectionAttributes("drop=true");
        try {
            database.getConnection().close();
        } catch (SQLException e) {
            // this is how Derby reports success
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }

    @Test
    void everyLoadedRowIsFoundAndRight() throws SQLException {
        try (Selector selector = new Selector(database, ROWS)) {
            for (int key = 1; key <= ROWS.count(); key++) {
                selector.select(key);
            }

            assertThat(selector.wrongRows).isZero();
            assertThat(selector.firstWrong).isNull();
        }
        assertThat(progress).containsExactly(0.4, 0.8, 1.0);
    }

    @Test
    void missingAndWrongRowsAreCounted() throws SQLException {
        execute("DELETE FROM selected WHERE id = 7");
        execute("UPDATE selected SET content = X'00' WHERE id = 9");
        execute("UPDATE selected SET content = (SELECT content FROM selected WHERE id = 12) WHERE id = 11");
        try (Selector selector = new Selector(database, ROWS)) {
            for (int key = 1; key <= 20; key++) {
                selector.select(key);
            }

            assertThat(selector.wrongRows).isEqualTo(3);
            assertThat(selector.firstWrong).isEqualTo("row 7 was not found");
        }
    }
}
