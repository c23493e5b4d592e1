// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Runs compared with those of a baseline, repeat by repeat: noise that lasts longer than a pair falls out. */
final class Pairs {
    private Pairs() {}

    /** One ratio for each repeat in which both have measured something, and the baseline more than nothing. */
    static <R> List<Double> ratios(
            List<R> runs, List<R> baseline, ToIntFunction<R> repeat, Function<R, Double> figure) {
        return runs.stream()
                .filter(run -> figure.apply(run) != null)
                .flatMap(run -> baseline.stream()
                        .filter(base -> repeat.applyAsInt(base) == repeat.applyAsInt(run))
                        .map(figure)
                        .filter(base -> base != null && base > 0)
                        .map(base -> figure.apply(run) / base))
                .toList();
    }
}
