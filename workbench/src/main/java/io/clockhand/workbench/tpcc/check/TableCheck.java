// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.check;

import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.tpcc.load.Table;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Derby's own check that every index agrees with its table, which no condition of TPC-C covers. */
public final class TableCheck {
    /** At some six seconds a warehouse, a run of more would cost more than twenty seconds besides its measuring. */
    private static final int MOST_WAREHOUSES = 2;

    private TableCheck() {}

    /** Whether a database of that many warehouses is checked. */
    public static boolean isAffordable(int warehouses) {
        return warehouses <= MOST_WAREHOUSES;
    }

    /** The errors of the nine tables, a sentence for each wrong table. */
    public static List<String> broken(DataSource database) throws SQLException {
        List<String> broken = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (Table table : Table.values()) {
                String sql = "VALUES SYSCS_UTIL.SYSCS_CHECK_TABLE('APP', '" + table.name() + "')";
                try (ResultSet verdict = statement.executeQuery(sql)) {
                    verdict.next();
                } catch (SQLException e) {
                    broken.add("SYSCS_CHECK_TABLE finds " + table.name() + " and its indexes inconsistent: "
                            + Failures.sentence(e));
                }
            }
        }
        return broken;
    }
}
