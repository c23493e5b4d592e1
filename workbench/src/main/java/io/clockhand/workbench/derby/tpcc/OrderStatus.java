// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.CustomerChoice;
import io.clockhand.workbench.workload.tpcc.Kind;
import java.sql.SQLException;

/** The Order-Status transaction (clause 2.6): a customer's last order and its lines. */
final class OrderStatus extends Transaction {
    private static final String CUSTOMER = """
            SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?
            """;
    private static final String LAST_ORDER = """
            SELECT o_id, o_entry_d, o_carrier_id FROM orders --DERBY-PROPERTIES index=ORDERS_CUSTOMER
            WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?
            ORDER BY o_id DESC FETCH FIRST ROW ONLY
            """;
    private static final String LINES = """
            SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
            WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?
            """;

    private final CustomerChoice choice;
    int orderId;
    int lines;

    OrderStatus(CustomerChoice choice) {
        super(Kind.ORDER_STATUS.jsonName());
        this.choice = choice;
    }

    @Override
    boolean execute(Session session) throws SQLException {
        int w = choice.warehouse();
        int d = choice.district();
        int customer = choice.find(session, false);
        session.row(CUSTOMER, w, d, customer);
        orderId = (int) session.row(LAST_ORDER, w, d, customer)[0];
        lines = session.rows(LINES, w, d, orderId).size();
        return true;
    }
}
