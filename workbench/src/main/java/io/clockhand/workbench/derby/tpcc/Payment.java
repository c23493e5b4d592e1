// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.CustomerChoice;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.sql.Timestamp;

/** The Payment transaction (clause 2.5): 15 % of the customers belong to another warehouse. */
final class Payment extends Transaction {
    private static final String WAREHOUSE = """
            SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?
            FOR UPDATE OF w_ytd
            """;
    private static final String UPDATE_WAREHOUSE = "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?";
    private static final String DISTRICT = """
            SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?
            FOR UPDATE OF d_ytd
            """;
    private static final String UPDATE_DISTRICT = "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?";
    private static final String CUSTOMER = """
            SELECT c_credit, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone,
                c_since, c_credit_lim, c_discount, c_balance
            FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?
            FOR UPDATE OF c_balance, c_ytd_payment, c_payment_cnt, c_data
            """;
    private static final String CUSTOMER_DATA =
            "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String UPDATE_CUSTOMER = """
            UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,
                c_payment_cnt = c_payment_cnt + 1
            """;
    private static final String THE_CUSTOMER = "WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String UPDATE_GOOD_CREDIT = UPDATE_CUSTOMER + THE_CUSTOMER;
    private static final String UPDATE_BAD_CREDIT = UPDATE_CUSTOMER + ", c_data = ? " + THE_CUSTOMER;
    private static final String INSERT_HISTORY = """
            INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """;

    final int warehouse;
    final int district;
    final CustomerChoice choice;
    final BigDecimal amount;
    int customer;

    Payment(int warehouse, int district, CustomerChoice choice, BigDecimal amount) {
        super(Kind.PAYMENT.jsonName());
        this.warehouse = warehouse;
        this.district = district;
        this.choice = choice;
        this.amount = amount;
    }

    static Payment drawn(Inputs inputs, int warehouse) {
        Draw draw = inputs.draw;
        int district = inputs.district();
        boolean remote = draw.percent(15) && inputs.scale.warehouses() > 1;
        CustomerChoice choice = inputs.choice(
                remote ? inputs.otherWarehouse(warehouse) : warehouse, remote ? inputs.district() : district);
        return new Payment(warehouse, district, choice, BigDecimal.valueOf(draw.between(100, 500_000), 2));
    }

    @Override
    boolean execute(Session session) throws SQLException {
        Object warehouseName = session.row(WAREHOUSE, warehouse)[0];
        session.updateOne(UPDATE_WAREHOUSE, amount, warehouse);
        Object districtName = session.row(DISTRICT, warehouse, district)[0];
        session.updateOne(UPDATE_DISTRICT, amount, warehouse, district);
        customer = choice.find(session, true);
        pay(session);
        session.updateOne(
                INSERT_HISTORY,
                customer,
                choice.district(),
                choice.warehouse(),
                district,
                warehouse,
                new Timestamp(System.currentTimeMillis()),
                amount,
                warehouseName + "    " + districtName);
        return true;
    }

    private void pay(Session session) throws SQLException {
        int w = choice.warehouse();
        int d = choice.district();
        Object credit = session.row(CUSTOMER, w, d, customer)[0];
        if (!credit.equals("BC")) {
            session.updateOne(UPDATE_GOOD_CREDIT, amount, amount, w, d, customer);
            return;
        }
        String data = String.join(" ", "" + customer, "" + d, "" + w, "" + district, "" + warehouse, "" + amount)
                + " | " + session.row(CUSTOMER_DATA, w, d, customer)[0];
        String kept = data.substring(0, Math.min(500, data.length()));
        session.updateOne(UPDATE_BAD_CREDIT, amount, amount, kept, w, d, customer);
    }
}
