// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.workload.tpcc.Draw;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A customer as typed at the terminal: by number, or in 60 % of the cases by last name (clauses 2.5.1.2 and 2.6.1.2).
 *
 * @param lastName null if chosen by number
 */
record CustomerChoice(int warehouse, int district, int number, String lastName) {
    private static final String BY_NAME = """
            SELECT c_id FROM customer --DERBY-PROPERTIES index=CUSTOMER_NAME
            WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?
            """;
    private static final String BY_NAME_TO_CHANGE = BY_NAME + " FOR UPDATE OF c_balance";

    static CustomerChoice drawn(Draw draw, Bounds bounds, int warehouse, int district) {
        if (draw.percent(60)) {
            return new CustomerChoice(warehouse, district, 0, Draw.lastName(bounds.lastName(draw)));
        }
        return new CustomerChoice(warehouse, district, bounds.customer(draw), null);
    }

    /**
     * The customer's number; of several with one last name the middle one by first name.
     *
     * <p>The index holds them by first name, and the query is tied to that index because Derby refuses ORDER BY
     * together with FOR UPDATE.
     */
    int find(Session session, boolean toChange) throws SQLException {
        if (lastName == null) {
            return number;
        }
        List<Integer> namesakes = new ArrayList<>();
        try (ResultSet rows = session.query(toChange ? BY_NAME_TO_CHANGE : BY_NAME, warehouse, district, lastName)) {
            while (rows.next()) {
                namesakes.add(rows.getInt(1));
            }
        }
        if (namesakes.isEmpty()) {
            throw new SQLException(
                    "no customer " + lastName + " in district " + district + " of warehouse " + warehouse);
        }
        return namesakes.get((namesakes.size() - 1) / 2);
    }
}
