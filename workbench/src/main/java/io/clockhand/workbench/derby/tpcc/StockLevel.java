// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Kind;
import java.sql.SQLException;

/**
 * The Stock-Level transaction (clause 2.8): items of a district's last 20 orders that are short in stock.
 *
 * <p>It reads committed rows only and holds no lock ({@code WITH CS}), as the clause allows.
 */
final class StockLevel extends Transaction {
    private static final String NEXT_ORDER = "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ? WITH CS";
    private static final String SHORT_ITEMS = """
            SELECT COUNT(DISTINCT s_i_id) FROM --DERBY-PROPERTIES joinOrder=FIXED
            order_line --DERBY-PROPERTIES constraint=ORDER_LINE_PK
            , stock --DERBY-PROPERTIES constraint=STOCK_PK, joinStrategy=NESTEDLOOP
            WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ?
                AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?
            WITH CS
            """;

    private final int warehouse;
    private final int district;
    private final int threshold;
    int shortItems;

    StockLevel(int warehouse, int district, int threshold) {
        super(Kind.STOCK_LEVEL.jsonName());
        this.warehouse = warehouse;
        this.district = district;
        this.threshold = threshold;
    }

    @Override
    boolean execute(Session session) throws SQLException {
        int next = (int) session.row(NEXT_ORDER, warehouse, district)[0];
        shortItems = (int) session.row(SHORT_ITEMS, warehouse, district, next - 20, next, warehouse, threshold)[0];
        return true;
    }
}
