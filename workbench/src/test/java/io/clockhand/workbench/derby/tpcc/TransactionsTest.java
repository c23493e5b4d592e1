// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.Tier;
import io.clockhand.workbench.derby.tpcc.Inputs.CustomerChoice;
import io.clockhand.workbench.derby.tpcc.Session.End;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionsTest {
    private static final Scale SCALE = TestDatabase.SCALE;
    private static final int UNUSED_ITEM = SCALE.items() + 1;
    private static final String STOCK_5 = " FROM stock WHERE s_w_id = 1 AND s_i_id = 5";
    private static final String CUSTOMER_4 = " FROM customer WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = 4";

    private static TestDatabase database;
    private Session session;

    @BeforeAll
    static void load() throws Exception {
        database = TestDatabase.undoable();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void open() throws SQLException {
        session = new Session(database.dataSource());
    }

    @AfterEach
    void undo() throws SQLException {
        database.undo();
    }

    private static NewOrder order(NewOrder.Line... lines) {
        return new NewOrder(1, 2, 4, List.of(lines));
    }

    private End run(Transaction transaction) throws SQLException {
        return session.run(transaction);
    }

    @Test
    void newOrderTakesFromStockAndIsEntered() throws SQLException {
        database.execute("UPDATE stock SET s_quantity = 20 WHERE s_w_id = 1 AND s_i_id = 5");
        NewOrder order = order(new NewOrder.Line(1, 5, 1, 3), new NewOrder.Line(2, 6, 2, 2));

        assertThat(run(order)).isEqualTo(End.COMMITTED);

        assertThat(order.orderId).isEqualTo(31);
        assertThat(database.number("SELECT d_next_o_id FROM district WHERE d_w_id = 1 AND d_id = 2"))
                .isEqualTo(32);
        assertThat(database.row("SELECT o_c_id, o_ol_cnt, o_all_local, o_carrier_id FROM orders"
                        + " WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 31"))
                .isEqualTo("4 2 0 null");
        assertThat(database.number("SELECT COUNT(*) FROM new_order WHERE no_w_id = 1 AND no_d_id = 2 AND no_o_id = 31"))
                .isEqualTo(1);
        assertThat(database.row("SELECT s_quantity, s_ytd, s_order_cnt, s_remote_cnt" + STOCK_5))
                .isEqualTo("17 3 1 0");
        assertThat(database.number("SELECT s_remote_cnt FROM stock WHERE s_w_id = 2 AND s_i_id = 6"))
                .isEqualTo(1);
    }

    @Test
    void newOrderCopiesPriceAndDistrictInfo() throws SQLException {
        assertThat(run(order(new NewOrder.Line(1, 5, 1, 3)))).isEqualTo(End.COMMITTED);

        String line = " FROM order_line WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 31";
        assertThat(database.amount("SELECT ol_amount" + line))
                .isEqualByComparingTo(database.amount("SELECT 3 * i_price FROM item WHERE i_id = 5"));
        assertThat(database.row("SELECT ol_dist_info" + line)).isEqualTo(database.row("SELECT s_dist_02" + STOCK_5));
        assertThat(database.row("SELECT ol_delivery_d" + line)).isEqualTo("null");
    }

    @Test
    void totalHasDiscountAndTaxes() throws SQLException {
        database.execute(
                "UPDATE item SET i_price = 10 WHERE i_id = 5",
                "UPDATE customer SET c_discount = 0.1 WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = 4",
                "UPDATE warehouse SET w_tax = 0.05 WHERE w_id = 1",
                "UPDATE district SET d_tax = 0.15 WHERE d_w_id = 1 AND d_id = 2");
        NewOrder order = order(new NewOrder.Line(1, 5, 1, 3));

        run(order);

        assertThat(order.total).isEqualByComparingTo("32.40");
    }

    @Test
    void stockThatRunsShortIsFilledUp() throws SQLException {
        database.execute("UPDATE stock SET s_quantity = 12 WHERE s_w_id = 1 AND s_i_id = 5");

        run(order(new NewOrder.Line(1, 5, 1, 3)));

        assertThat(database.number("SELECT s_quantity" + STOCK_5)).isEqualTo(100);
    }

    @Test
    void unusedItemRollsEverythingBack() throws SQLException {
        long quantity = database.number("SELECT s_quantity" + STOCK_5);

        End end = run(order(new NewOrder.Line(1, 5, 1, 3), new NewOrder.Line(2, UNUSED_ITEM, 1, 1)));

        assertThat(end).isEqualTo(End.ROLLED_BACK);
        assertThat(database.number("SELECT s_quantity" + STOCK_5)).isEqualTo(quantity);
        assertThat(database.number("SELECT MAX(o_id) FROM orders")).isEqualTo(30);
        assertThat(database.number("SELECT MAX(d_next_o_id) FROM district")).isEqualTo(31);
    }

    @Test
    void paymentMovesMoney() throws SQLException {
        database.execute("UPDATE customer SET c_credit = 'GC' WHERE c_id = 4");

        assertThat(run(payment(new CustomerChoice(1, 2, 4, null)))).isEqualTo(End.COMMITTED);

        assertThat(database.row("SELECT c_balance, c_ytd_payment, c_payment_cnt" + CUSTOMER_4))
                .isEqualTo("-22.34 22.34 2");
        assertThat(database.row("SELECT d_ytd FROM district WHERE d_w_id = 2 AND d_id = 1"))
                .isEqualTo("312.34");
        assertThat(database.row("SELECT w_ytd FROM warehouse WHERE w_id = 2")).isEqualTo("912.34");
        assertThat(database.row("SELECT h_data FROM history WHERE h_amount = 12.34"))
                .isEqualTo(database.row("SELECT w_name FROM warehouse WHERE w_id = 2") + "    "
                        + database.row("SELECT d_name FROM district WHERE d_w_id = 2 AND d_id = 1"));
    }

    private static Payment payment(CustomerChoice choice) {
        return new Payment(2, 1, choice, new BigDecimal("12.34"));
    }

    @Test
    void badCreditGetsTheHistoryIntoItsData() throws SQLException {
        database.execute("UPDATE customer SET c_credit = 'BC' WHERE c_id = 4");

        run(payment(new CustomerChoice(1, 2, 4, null)));

        assertThat(database.row("SELECT c_data" + CUSTOMER_4))
                .startsWith("4 2 1 1 2 12.34 | ")
                .hasSizeLessThanOrEqualTo(500);
    }

    @Test
    void ofNamesakesTheMiddleOnePays() throws SQLException {
        database.execute(
                "UPDATE customer SET c_last = 'SAME' WHERE c_w_id = 1 AND c_d_id = 2 AND c_id IN (3, 4, 8, 9)",
                "UPDATE customer SET c_first = 'a' WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = 9",
                "UPDATE customer SET c_first = 'b' WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = 4",
                "UPDATE customer SET c_first = 'c' WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = 3",
                "UPDATE customer SET c_first = 'd' WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = 8");
        Payment payment = payment(new CustomerChoice(1, 2, 0, "SAME"));

        run(payment);

        assertThat(payment.customer).isEqualTo(4);
    }

    @Test
    void orderStatusShowsTheLastOrder() throws SQLException {
        run(order(new NewOrder.Line(1, 5, 1, 3), new NewOrder.Line(2, 6, 1, 2)));
        OrderStatus status = new OrderStatus(new CustomerChoice(1, 2, 4, null));

        run(status);

        assertThat(status.orderId).isEqualTo(31);
        assertThat(status.lines).isEqualTo(2);
    }

    @Test
    void deliveryTakesTheOldestOrderOfEachDistrict() throws SQLException {
        database.execute("DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 3");
        long customer = database.number("SELECT o_c_id FROM orders WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 22");
        BigDecimal amount = database.amount(
                "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 22");
        Delivery delivery = new Delivery(1, 6, SCALE);

        run(delivery);

        assertThat(delivery.delivered)
                .containsExactly(new Delivery.Delivered(1, 1, 22), new Delivery.Delivered(1, 2, 22));
        assertThat(database.number("SELECT MIN(no_o_id) FROM new_order WHERE no_w_id = 1"))
                .isEqualTo(23);
        assertThat(database.number("SELECT o_carrier_id FROM orders WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 22"))
                .isEqualTo(6);
        assertThat(database.number("SELECT COUNT(*) FROM order_line"
                        + " WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 22 AND ol_delivery_d IS NULL"))
                .isZero();
        String where = " FROM customer WHERE c_w_id = 1 AND c_d_id = 2 AND c_id = " + customer;
        assertThat(database.amount("SELECT c_balance" + where)).isEqualByComparingTo(amount.subtract(BigDecimal.TEN));
        assertThat(database.number("SELECT c_delivery_cnt" + where)).isEqualTo(1);
    }

    @Test
    void stockLevelCountsDistinctShortItemsOfTwentyOrders() throws SQLException {
        StockLevel level = new StockLevel(2, 1, 15);

        run(level);

        assertThat(level.shortItems)
                .isEqualTo((int) database.number("SELECT COUNT(*) FROM stock WHERE s_w_id = 2 AND s_quantity < 15"
                        + " AND s_i_id IN (SELECT ol_i_id FROM order_line"
                        + " WHERE ol_w_id = 2 AND ol_d_id = 1 AND ol_o_id BETWEEN 11 AND 30)"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            DELETE FROM stock WHERE s_i_id <= 100,       no row where TPC-C always has one:
            UPDATE stock SET s_data = 'x',               Derby read [
            UPDATE stock SET s_quantity = s_quantity + 1, Derby read [
            """)
    void selectsFailIfARowIsMissingOrWrong(String change, String message) throws SQLException {
        Selects selects = new Selects(new Draw(1), SCALE);
        assertThat(run(selects)).isEqualTo(End.COMMITTED);

        database.execute(change);
        assertThatThrownBy(() -> run(selects)).hasMessageStartingWith(message);
    }

    @Test
    void conditionsHoldAfterManyTransactions() throws SQLException {
        Inputs inputs = new Inputs(SCALE, 99, 0, 1);
        Tally tally = new Tally(SCALE);
        for (int i = 0; i < Tier.pick(150, 500); i++) {
            Transaction transaction = inputs.next();
            assertThat(run(transaction)).isNotEqualTo(End.GIVEN_UP);
            if (transaction instanceof Delivery delivery) {
                tally.addDelivered(delivery);
            }
        }

        assertThat(Consistency.violations(database.dataSource(), SCALE, tally.delivered))
                .isEmpty();
    }
}
