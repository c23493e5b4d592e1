// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoaderTest {
    private static TestDatabase database;

    @BeforeAll
    static void load() throws SQLException {
        database = TestDatabase.loaded();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @Test
    void standardScaleIsThatOfTheSpecification() {
        Scale standard = Scale.standard(4, 1);

        assertThat(standard.allDistricts()).isEqualTo(40);
        assertThat(standard.customers()).isEqualTo(3000);
        assertThat(standard.items()).isEqualTo(100_000);
        assertThat(standard.firstUndelivered()).isEqualTo(2101);
        assertThat(standard.lastNames()).isEqualTo(1000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2   | warehouse
            6   | district
            180 | customer
            180 | history
            200 | item
            400 | stock
            180 | orders
            54  | new_order
            180 | (SELECT DISTINCT o_w_id, o_d_id, o_c_id FROM orders) o
            0   | order_line WHERE ol_delivery_d IS NULL AND ol_amount = 0
            0   | order_line WHERE ol_delivery_d IS NOT NULL AND ol_amount <> 0
            8   | sys.sysconstraints WHERE type = 'P'
            2   | sys.sysconglomerates WHERE conglomeratename IN ('CUSTOMER_NAME', 'ORDERS_CUSTOMER')
            """)
    void tablesHaveTheirRowsAndIndexes(long rows, String from) throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM " + from)).isEqualTo(rows);
    }

    @Test
    void linesAreThoseOfTheOrdersAndATenthOfTheCustomersHasBadCredit() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM order_line"))
                .isEqualTo(database.number("SELECT SUM(o_ol_cnt) FROM orders"));
        assertThat(database.number("SELECT COUNT(*) FROM customer WHERE c_credit = 'BC'"))
                .isBetween(5L, 35L);
        assertThat(database.number("SELECT COUNT(*) FROM sys.sysstatistics")).isPositive();
    }

    @Test
    void firstCustomersHaveAllTheNamesInTurn() throws SQLException {
        assertThat(database.row("SELECT c_last FROM customer WHERE c_w_id = 2 AND c_d_id = 3 AND c_id = 12"))
                .isEqualTo(Draw.lastName(11));
    }
}
