// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Turns;
import io.clockhand.workbench.select.driver.RunAnswer;

/**
 * A run and its answer.
 *
 * @param answer null if the run failed
 * @param turns in a duel; null if it ran alone
 */
record Run(Cell<Setting, Contender> cell, Pool pool, RunAnswer answer, Turns turns, int seconds) {

    Double selectsPerSecond() {
        if (answer == null) {
            return null;
        }
        return turns == null
                ? (double) answer.selects() / seconds
                : turns.standing().operationsPerSecond();
    }

    Long selects() {
        if (answer == null) {
            return null;
        }
        return turns == null ? answer.selects() : turns.standing().operations();
    }

    /** Not found or with another content, at any time of the run. */
    Long wrongRows() {
        return answer == null ? null : Long.valueOf(answer.wrongRows());
    }

    Integer maxResidentPages() {
        return answer == null ? null : Integer.valueOf(answer.maxResidentPages());
    }

    boolean isWithinPool() {
        return pool.holds(maxResidentPages());
    }

    /** Whether the run ended, every row was right, and the cache kept to its pool. */
    boolean isValid() {
        return answer != null && answer.allHolds() && isWithinPool();
    }
}
