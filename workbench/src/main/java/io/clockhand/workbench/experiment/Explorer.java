// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.experiment.report.Cell;
import java.util.function.Function;

/** Performs runs that are no part of the plan, such as those that find the best parameter of a contender. */
public interface Explorer<S, C, A> {
    /** Returns the answer, or null and has complained. */
    A run(Cell<S, C> cell, Function<Launch<S, C>, Order<A>> order);
}
