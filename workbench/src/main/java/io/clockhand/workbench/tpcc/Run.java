// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Turns;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.tpcc.transactions.Kind;

/**
 * A run and its answers; values that were not measured are null.
 *
 * @param turns in a duel; null if it ran alone
 * @param counted the answer of the counted run of the same contender and setting
 * @param withinPool whether the cache kept to its pool
 */
record Run(Cell<Setting, Contender> cell, RunAnswer answer, Turns turns, RunAnswer counted, boolean withinPool) {

    Run(Cell<Setting, Contender> cell, RunAnswer answer, Turns turns, boolean withinPool) {
        this(cell, answer == null ? RunAnswer.nothing() : answer, turns, RunAnswer.nothing(), withinPool);
    }

    Run with(RunAnswer otherCounted) {
        return new Run(cell, answer, turns, otherCounted, withinPool);
    }

    /** New-orders a minute of the contender's own running time. */
    Double tpmC() {
        return turns == null
                ? answer.tpmC()
                : Double.valueOf(60 * turns.standing().operationsPerSecond());
    }

    /** Whether the run ended, every condition holds, and the cache kept to its pool. */
    boolean isValid() {
        return isConsistent() && withinPool;
    }

    boolean isConsistent() {
        return answer.broken() != null && answer.allHolds();
    }

    Percentiles latency(Kind kind) {
        return answer.latencyMicros() == null ? null : answer.latencyMicros().get(kind.jsonName());
    }

    Double readsPerTransaction() {
        return perTransaction(counted.pageReads());
    }

    Double writesPerTransaction() {
        return perTransaction(counted.pageWrites());
    }

    private Double perTransaction(Long pages) {
        Long transactions = counted.transactions();
        return pages == null || transactions == null || transactions == 0 ? null : (double) pages / transactions;
    }
}
