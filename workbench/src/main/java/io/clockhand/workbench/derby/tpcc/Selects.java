// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;

/**
 * Selects of rows of STOCK by primary key, a hundred in a transaction: little but the locks, the index, the row and the
 * cache is at work. No part of TPC-C.
 */
final class Selects extends Transaction {
    private static final int COUNT = 100;
    private static final String SELECT =
            "SELECT s_w_id, s_i_id, s_quantity, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? WITH CS";

    private final Draw draw;
    private final Scale scale;

    Selects(Draw draw, Scale scale) {
        super("selects");
        this.draw = draw;
        this.scale = scale;
    }

    @Override
    boolean execute(Session session) throws SQLException {
        for (int i = 0; i < COUNT; i++) {
            int warehouse = draw.between(1, scale.warehouses());
            int item = draw.between(1, scale.items());
            Object[] row = session.row(SELECT, warehouse, item);
            if (!row[0].equals(warehouse) || !row[1].equals(item)) {
                throw new SQLException("asked for the stock of item " + item + " in warehouse " + warehouse
                        + ", Derby read that of item " + row[1] + " in warehouse " + row[0]);
            }
        }
        return true;
    }

    @Override
    int operations() {
        return COUNT;
    }
}
