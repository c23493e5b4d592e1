// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.report.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of the plan.
 *
 * @param repeat from 1
 */
record Cell(Contender cache, int terminals, double poolPercent, int repeat) {

    /** Every pool at every number of terminals, contenders alternating within each repeat. */
    static List<Cell> plan(Settings settings) {
        List<Cell> cells = new ArrayList<>();
        for (double poolPercent : settings.poolPercents()) {
            for (int terminals : settings.terminals()) {
                for (int repeat = 1; repeat <= settings.repeat(); repeat++) {
                    for (Contender cache : settings.caches()) {
                        cells.add(new Cell(cache, terminals, poolPercent, repeat));
                    }
                }
            }
        }
        return cells;
    }

    /** Of its log and its profile, without the ending. */
    String fileName() {
        return "derby-select-" + cache.name().replace(':', '-') + "-" + terminals + "-" + Figures.brief(poolPercent)
                + "-" + repeat;
    }

    @Override
    public String toString() {
        return cache.name() + ", " + terminals + (terminals == 1 ? " terminal" : " terminals") + ", pool of "
                + Figures.brief(poolPercent) + " %, repeat " + repeat;
    }
}
