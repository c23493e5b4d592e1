// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Turns;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.RunAnswer.Counted;
import java.util.function.Function;

/**
 * A run and its answers; or the best exclusive one of a setting and repeat, for each number of threads.
 *
 * @param timed null if it failed
 * @param turns in a duel; null if it ran alone
 * @param countedAnswer of the shorter run in which waits are counted; null if it failed
 * @param bestOf the run that is the best; null for a run
 */
record Run(Cell<Setting, Contender> cell, RunAnswer timed, Turns turns, RunAnswer countedAnswer, Run bestOf) {
    private static final double MILLION = 1_000_000;

    Protocol protocol() {
        return cell.contender().protocol();
    }

    /** In a duel the throughput is that of the contender's own running time. */
    Double updatesPerSecond() {
        if (timed == null) {
            return null;
        }
        return turns == null
                ? timed.operations() / timed.seconds()
                : turns.standing().operationsPerSecond();
    }

    /** How long a million updates take. */
    Double secondsPerMillion() {
        Double rate = updatesPerSecond();
        return rate == null || rate == 0 ? null : Double.valueOf(MILLION / rate);
    }

    /** Null for allocations. */
    String rowLayout() {
        RowLayout layout = cell.setting().layout();
        return layout == null ? null : layout.label();
    }

    Double cpuPercent() {
        return timed == null ? null : timed.cpuPercent();
    }

    <V> V counted(Function<Counted, V> figure) {
        return countedAnswer == null ? null : figure.apply(countedAnswer.counted());
    }

    Double waitsPerMillion() {
        return counted(c -> c.operations() == 0 ? null : MILLION * c.latchWaits() / c.operations());
    }

    Double contextBytes() {
        return countedAnswer == null ? null : countedAnswer.contextBytes();
    }

    /** Whether both runs ended and found the page right. */
    boolean isValid() {
        return timed != null && countedAnswer != null && timed.allHolds() && countedAnswer.allHolds();
    }
}
