// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.PopulationResultSet.Population;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Selects of rows of STOCK by primary key, a hundred in a transaction: little but the locks, the index, the row and the
 * cache is at work. No part of TPC-C.
 *
 * <p>Each row must have the key that was asked for. The first of a transaction is compared with the row as it was
 * loaded: one of a hundred, since drawing the loaded row again takes time.
 */
final class Selects extends Transaction {
    private static final int COUNT = 100;
    private static final String SELECT =
            "SELECT s_i_id, s_w_id, s_quantity, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? WITH CS";

    private final Draw draw;
    private final Scale scale;
    private final Population population;

    Selects(Draw draw, Scale scale) {
        super("selects");
        this.draw = draw;
        this.scale = scale;
        population = new Population(scale);
    }

    @Override
    boolean execute(Session session) throws SQLException {
        for (int i = 0; i < COUNT; i++) {
            int warehouse = draw.between(1, scale.warehouses());
            int item = draw.between(1, scale.items());
            Object[] row = session.row(SELECT, warehouse, item);
            if (!row[0].equals(item) || !row[1].equals(warehouse)) {
                throw new SQLException("asked for the stock of item " + item + " in warehouse " + warehouse
                        + ", Derby read that of item " + row[0] + " in warehouse " + row[1]);
            }
            if (i == 0) {
                Object[] loaded = population.stock((warehouse - 1) * scale.items() + item - 1);
                Object[] expected = {loaded[0], loaded[1], loaded[2], loaded[loaded.length - 1]};
                if (!Arrays.equals(row, expected)) {
                    throw new SQLException("Derby read " + Arrays.toString(row) + " from STOCK, where "
                            + Arrays.toString(expected) + " was loaded");
                }
            }
        }
        return true;
    }

    @Override
    int operations() {
        return COUNT;
    }
}
