// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.Contender;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of the plan.
 *
 * @param repeat from 1; 0 for the counted run
 * @param counted whether hits and I/O are counted, and throughput is not worth reporting
 */
record Cell(Contender cache, int terminals, int repeat, boolean counted) {

    /** All measured runs, contenders alternating within each repeat, then all counted ones. */
    static List<Cell> plan(Settings settings) {
        List<Cell> cells = new ArrayList<>();
        for (int terminals : settings.terminals()) {
            for (int repeat = 1; repeat <= settings.repeat(); repeat++) {
                for (Contender cache : settings.caches()) {
                    cells.add(new Cell(cache, terminals, repeat, false));
                }
            }
        }
        for (int terminals : settings.terminals()) {
            for (Contender cache : settings.caches()) {
                cells.add(new Cell(cache, terminals, 0, true));
            }
        }
        return cells;
    }

    /** Of its log and its profile, without the ending. */
    String fileName() {
        return "tpcc-" + cache.name().replace(':', '-') + "-" + terminals + "-" + (counted ? "counted" : repeat);
    }

    @Override
    public String toString() {
        return cache.name() + ", " + terminals + (terminals == 1 ? " terminal" : " terminals")
                + (counted ? ", counting hits and I/O" : ", repeat " + repeat);
    }
}
