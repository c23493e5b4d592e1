// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LoaderTest {
    private static final Scale SCALE = TestDatabase.SCALE;
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

    @Test
    void everyTableHasItsRows() throws SQLException {
        int customers = SCALE.allDistricts() * SCALE.customers();
        assertThat(rows("warehouse")).isEqualTo(2);
        assertThat(rows("district")).isEqualTo(6);
        assertThat(rows("customer")).isEqualTo(customers);
        assertThat(rows("history")).isEqualTo(customers);
        assertThat(rows("item")).isEqualTo(200);
        assertThat(rows("stock")).isEqualTo(400);
        assertThat(rows("orders")).isEqualTo(customers);
        assertThat(rows("new_order")).isEqualTo(customers * 3L / 10);
        assertThat(rows("order_line")).isEqualTo(database.number("SELECT SUM(o_ol_cnt) FROM orders"));
    }

    @Test
    void everyCustomerPlacedOneOrder() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM (SELECT DISTINCT o_w_id, o_d_id, o_c_id FROM orders) o"))
                .isEqualTo(SCALE.allDistricts() * (long) SCALE.customers());
    }

    @Test
    void firstCustomersHaveAllTheNamesInTurn() throws SQLException {
        assertThat(database.text("SELECT c_last FROM customer WHERE c_w_id = 2 AND c_d_id = 3 AND c_id = 12"))
                .isEqualTo(Draw.lastName(11));
    }

    @Test
    void deliveredLinesCostNothingAndOthersHaveNoDate() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM order_line WHERE ol_delivery_d IS NULL AND ol_amount = 0"))
                .isZero();
        assertThat(database.number(
                        "SELECT COUNT(*) FROM order_line WHERE ol_delivery_d IS NOT NULL AND ol_amount <> 0"))
                .isZero();
    }

    @Test
    void tenthOfTheCustomersHasBadCredit() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM customer WHERE c_credit = 'BC'"))
                .isBetween(5L, 35L);
    }

    @Test
    void keysAndIndexesAreThere() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM sys.sysconstraints WHERE type = 'P'"))
                .isEqualTo(8);
        assertThat(database.number("SELECT COUNT(*) FROM sys.sysconglomerates WHERE conglomeratename IN"
                        + " ('CUSTOMER_NAME', 'ORDERS_CUSTOMER')"))
                .isEqualTo(2);
        assertThat(database.number("SELECT COUNT(*) FROM sys.sysstatistics")).isPositive();
    }

    @Test
    void allocatedPagesAreCounted() throws SQLException {
        assertThat(Database.allocatedPages(database.dataSource())).isGreaterThan(50);
    }

    private static long rows(String table) throws SQLException {
        return database.number("SELECT COUNT(*) FROM " + table);
    }
}
