// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.workload.tpcc.Draw;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoaderTest {
    private static TestDatabase database;

    @BeforeAll
    static void load() throws Exception {
        database = TestDatabase.undoable();
    }

    @AfterAll
    static void drop() {
        database.close();
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
        assertThat(database.row("SELECT c_last FROM customer WHERE c_w_id = 2 AND c_d_id = 3 AND c_id = 12"))
                .isEqualTo(Draw.lastName(11));
    }

    @Test
    @Timeout(30)
    void failedInsertEndsTheLoadWhileAnotherOneLasts() {
        CountDownLatch never = new CountDownLatch(1);
        Statement statement = proxy(Statement.class, (method, sql) -> {
            if (method.equals("execute") && sql.contains("ORDER_LINE', 'io.")) {
                throw new SQLException("the disk is full");
            }
            if (method.equals("execute") && sql.contains("NEW_ORDER', 'io.")) {
                never.await();
            }
            return false;
        });
        Connection connection =
                proxy(Connection.class, (method, sql) -> method.equals("createStatement") ? statement : null);
        DataSource source = proxy(DataSource.class, (method, sql) -> connection);

        assertThatThrownBy(() -> Loader.load(source, TestDatabase.SCALE, fraction -> {}))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the disk is full");
    }

    private interface Answers {
        Object to(String method, String argument) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                LoaderTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        answers.to(method.getName(), arguments == null ? "" : String.valueOf(arguments[0]))));
    }
}
