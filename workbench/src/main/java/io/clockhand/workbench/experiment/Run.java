// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Turns;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A run and its answers.
 *
 * @param timed null if no time was measured, or the run failed
 * @param turns in a duel; null if it ran alone
 * @param counted answer of the separate run with statistics; null if nothing was counted
 */
public record Run<S, C, A extends Answer>(Cell<S, C> cell, A timed, Turns turns, A counted) {

    public S setting() {
        return cell.setting();
    }

    public C contender() {
        return cell.contender();
    }

    /** A figure of the timed run; null if there is none. */
    public <V> V timed(Function<? super A, V> figure) {
        return timed == null ? null : figure.apply(timed);
    }

    /** A figure of the counted run; null if there is none. */
    public <V> V counted(Function<? super A, V> figure) {
        return counted == null ? null : figure.apply(counted);
    }

    /** In a duel, of the contender's own running time. */
    public Long operations() {
        return timed(answer -> turns == null ? answer.operations() : turns.operations());
    }

    /** In a duel, of the contender's own running time. */
    public Double operationsPerSecond() {
        return timed(answer -> turns == null ? answer.operationsPerSecond() : turns.operationsPerSecond());
    }

    /** The answers that there are, the timed one first. */
    public Stream<A> answers() {
        return Stream.of(timed, counted).filter(Objects::nonNull);
    }
}
