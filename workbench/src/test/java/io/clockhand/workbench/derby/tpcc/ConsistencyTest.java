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
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistencyTest {
    /** In the small scale the orders up to 21 of 30 are loaded as delivered. */
    private static final String DELIVERED_ORDER = "o_w_id = 1 AND o_d_id = 2 AND o_id = 5";

    private static final String IN_DISTRICT = "d_w_id = 1 AND d_id = 2";
    private static final String CUSTOMER = "c_w_id = 2 AND c_d_id = 1 AND c_id = 9";

    private static TestDatabase database;

    @BeforeAll
    static void load() throws Exception {
        database = TestDatabase.undoable();
    }

    @AfterEach
    void undo() throws SQLException {
        database.undo();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @Test
    void allHoldAfterTheLoad() throws SQLException {
        assertThat(violations()).isEmpty();
    }

    /** The conditions that each change breaks, no more and no fewer; the first is the one it is made for. */
    static Stream<Arguments> damage() {
        return Stream.of(
                damage("1 8", "UPDATE warehouse SET w_ytd = w_ytd + 1 WHERE w_id = 2"),
                damage("2", "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE " + IN_DISTRICT),
                damage("3 5 11", "DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 2 AND no_o_id = 25"),
                damage(
                        "4 6",
                        "DELETE FROM order_line WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 5 AND ol_number = 1"),
                damage("5 7", "UPDATE orders SET o_carrier_id = 3 WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 25"),
                damage(
                        "6",
                        "UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE " + DELIVERED_ORDER,
                        "UPDATE orders SET o_ol_cnt = o_ol_cnt - 1 WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 6"),
                damage(
                        "7",
                        "UPDATE order_line SET ol_delivery_d = NULL"
                                + " WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 5 AND ol_number = 1"),
                damage(
                        "8 9 10",
                        "UPDATE history SET h_amount = h_amount + 1 WHERE h_c_w_id = 2 AND h_c_d_id = 1 AND"
                                + " h_c_id = 9"),
                damage(
                        "9",
                        "UPDATE district SET d_ytd = d_ytd + 1 WHERE " + IN_DISTRICT,
                        "UPDATE district SET d_ytd = d_ytd - 1 WHERE d_w_id = 1 AND d_id = 3"),
                damage(
                        "10",
                        "UPDATE customer SET c_balance = c_balance + 1, c_ytd_payment = c_ytd_payment - 1 WHERE "
                                + CUSTOMER),
                damage(
                        "11",
                        "DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 2 AND no_o_id = 22",
                        "UPDATE orders SET o_carrier_id = 3 WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 22",
                        "UPDATE order_line SET ol_delivery_d = CURRENT_TIMESTAMP, ol_amount = 0"
                                + " WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 22"),
                damage("12", "UPDATE customer SET c_ytd_payment = c_ytd_payment + 1 WHERE " + CUSTOMER));
    }

    private static Arguments damage(String conditions, String... statements) {
        return Arguments.of(conditions, statements);
    }

    @ParameterizedTest(name = "condition {0}")
    @MethodSource("damage")
    void brokenConditionIsCaught(String conditions, String[] statements) throws SQLException {
        database.execute(statements);

        assertThat(violations()).allMatch(violation -> violation.matches("breaks .* in warehouse .* is .*, not .*"));
        assertThat(String.join(
                        " ",
                        violations().stream().map(ConsistencyTest::condition).toList()))
                .isEqualTo(conditions);
    }

    private static String condition(String violation) {
        return violation.replaceFirst("breaks consistency condition (\\d+) in .*", "$1");
    }

    @Test
    void deliveriesThatWereReportedButNeverDoneAreCaught() throws SQLException {
        int[] delivered = new int[TestDatabase.SCALE.allDistricts()];
        delivered[3] = 1;

        assertThat(Consistency.violations(database.dataSource(), TestDatabase.SCALE, delivered))
                .singleElement()
                .asString()
                .startsWith("breaks consistency condition 11 in warehouse 2, district 1: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s_ytd", "s_order_cnt", "s_remote_cnt"})
    void stockThatNobodyOrderedIsCaught(String column) throws SQLException {
        database.execute("UPDATE stock SET " + column + " = " + column + " + 1 WHERE s_w_id = 2 AND s_i_id = 17");

        assertThat(violations()).singleElement().asString().startsWith("holds a wrong stock in warehouse 2, item 17: ");
    }

    @Test
    void stockThatAnOrderDidNotTakeIsCaught() throws SQLException {
        database.execute("UPDATE stock SET s_ytd = s_ytd + 5, s_order_cnt = s_order_cnt + 1,"
                + " s_remote_cnt = s_remote_cnt + 1 WHERE s_w_id = 2 AND s_i_id = 17");
        database.execute("INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,"
                + " ol_quantity, ol_amount, ol_dist_info) VALUES (31, 1, 1, 1, 17, 2, 5, 1, 'x')");
        assertThat(violations()).noneMatch(violation -> violation.contains("stock"));

        database.execute("UPDATE order_line SET ol_quantity = 6 WHERE ol_o_id = 31");
        assertThat(violations())
                .contains("holds a wrong stock in warehouse 2, item 17: S_YTD and the order lines since the load differ"
                        + " by -1");
    }

    private List<String> violations() throws SQLException {
        int[] delivered = new int[TestDatabase.SCALE.allDistricts()];
        return Consistency.violations(database.dataSource(), TestDatabase.SCALE, delivered);
    }

    @Test
    void indexThatMissedChangesIsCaught(@TempDir Path directory) throws Exception {
        Path folder = directory.resolve("database");
        new Loader(folder.toString(), new Scale(1, 2, 30, 200, 3)).perform(fraction -> {});
        DataSource source = Database.open(folder);
        assertThat(Consistency.brokenIndexes(source)).isEmpty();

        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            ResultSet number = statement.executeQuery("""
                    SELECT c.conglomeratenumber FROM sys.sysconglomerates c, sys.systables t
                    WHERE c.tableid = t.tableid AND t.tablename = 'STOCK' AND c.isindex
                    """);
            number.next();
            Path index = folder.resolve("seg0/c" + Long.toHexString(number.getLong(1)) + ".dat");
            Database.shutDown(folder);
            Path earlier = Files.copy(index, directory.resolve("earlier"));
            try (Connection again = source.getConnection();
                    Statement change = again.createStatement()) {
                change.execute("DELETE FROM stock WHERE s_i_id = 17");
            }
            Database.shutDown(folder);
            Files.copy(earlier, index, StandardCopyOption.REPLACE_EXISTING);
        }

        assertThat(Consistency.brokenIndexes(source))
                .singleElement()
                .asString()
                .startsWith("SYSCS_CHECK_TABLE finds STOCK and its indexes inconsistent: ");
        Database.shutDown(folder);
    }
}
