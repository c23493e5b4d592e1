// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;

/** The Delivery transaction (clause 2.7): the oldest new order of each district of a warehouse, in one commit. */
final class Delivery extends Transaction {
    private static final String OLDEST = """
            SELECT no_o_id FROM new_order --DERBY-PROPERTIES constraint=NEW_ORDER_PK
            WHERE no_w_id = ? AND no_d_id = ? FOR UPDATE
            """;
    private static final String DELETE = "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?";
    private static final String CUSTOMER_OF_ORDER =
            "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ? FOR UPDATE OF o_carrier_id";
    private static final String SET_CARRIER =
            "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
    private static final String SET_DATE =
            "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    private static final String AMOUNT =
            "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    private static final String UPDATE_CUSTOMER = """
            UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1
            WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?
            """;

    /** An order that was delivered; a district with no new order is skipped. */
    record Delivered(int warehouse, int district, int order) {}

    private final int warehouse;
    private final int carrier;
    private final Scale scale;
    /** By the last execution. */
    final List<Delivered> delivered = new ArrayList<>();

    Delivery(int warehouse, int carrier, Scale scale) {
        super(Kind.DELIVERY.jsonName());
        this.warehouse = warehouse;
        this.carrier = carrier;
        this.scale = scale;
    }

    @Override
    boolean execute(Session session) throws SQLException {
        delivered.clear();
        Timestamp now = new Timestamp(System.currentTimeMillis());
        for (int district = 1; district <= scale.districts(); district++) {
            Object[] oldest = session.rowIfAny(OLDEST, warehouse, district); // locks only the row that it fetches
            if (oldest != null) {
                int order = (int) oldest[0];
                deliver(session, district, order, now);
                delivered.add(new Delivered(warehouse, district, order));
            }
        }
        return true;
    }

    private void deliver(Session session, int district, int order, Timestamp now) throws SQLException {
        session.updateOne(DELETE, warehouse, district, order);
        int customer = (int) session.row(CUSTOMER_OF_ORDER, warehouse, district, order)[0];
        session.updateOne(SET_CARRIER, carrier, warehouse, district, order);
        session.update(SET_DATE, now, warehouse, district, order);
        Object amount = session.row(AMOUNT, warehouse, district, order)[0];
        session.updateOne(UPDATE_CUSTOMER, amount, warehouse, district, customer);
    }
}
