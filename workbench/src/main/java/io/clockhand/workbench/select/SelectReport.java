// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that {@code derby-select.json} holds, in its order.
 *
 * @param derbyProperties of the runs, without those that name the cache and its size
 */
record SelectReport(
        String command,
        String version,
        String note,
        Environment environment,
        Map<String, Object> options,
        Map<String, String> derbyProperties,
        List<Run> runs,
        List<Summary> summary) {
    static final String NOTE = "A closed loop of terminals in the JVM of the database; every miss is served from the"
            + " operating system's cache unless memory is short.";

    /**
     * A run; what a broken run did not measure is null.
     *
     * @param selects within the measured interval
     * @param wrongRows not found or with another content, at any time of the run
     * @param valid false if the run failed, a row was wrong, or the cache held 2 % more than its pool
     */
    record Run(
            String cache,
            int terminals,
            double poolPercent,
            int repeat,
            int poolPages,
            Double selectsPerSecond,
            Long selects,
            Long wrongRows,
            Integer maxResidentPages,
            boolean valid) {}

    /**
     * All repeats of a cache with a pool at a number of terminals.
     *
     * @param ratioToDerby of the repeats paired with those of Derby's cache; null without them
     */
    record Summary(String cache, int terminals, double poolPercent, Spread selectsPerSecond, Spread ratioToDerby) {}

    /** Medians and ratios, in the order of the plan. */
    static List<Summary> summarize(Settings settings, List<Run> runs) {
        List<Summary> summaries = new ArrayList<>();
        for (double poolPercent : settings.poolPercents()) {
            for (int terminals : settings.terminals()) {
                for (Contender cache : settings.caches()) {
                    List<Double> figures = of(runs, cache.name(), terminals, poolPercent).stream()
                            .map(Run::selectsPerSecond)
                            .filter(Objects::nonNull)
                            .toList();
                    summaries.add(new Summary(
                            cache.name(),
                            terminals,
                            poolPercent,
                            Spread.of(figures),
                            Spread.of(ratios(runs, cache.name(), terminals, poolPercent))));
                }
            }
        }
        return summaries;
    }

    /** The repeats that this line of the summary is about. */
    List<Run> runsOf(Summary line) {
        return of(runs, line.cache(), line.terminals(), line.poolPercent());
    }

    /** In how many repeats both this cache and Derby's have something to compare. */
    int pairs(Summary line) {
        return ratios(runs, line.cache(), line.terminals(), line.poolPercent()).size();
    }

    private static List<Double> ratios(List<Run> runs, String cache, int terminals, double poolPercent) {
        return Pairs.ratios(
                of(runs, cache, terminals, poolPercent),
                of(runs, Contender.DERBY, terminals, poolPercent),
                Run::repeat,
                Run::selectsPerSecond);
    }

    private static List<Run> of(List<Run> runs, String cache, int terminals, double poolPercent) {
        return runs.stream()
                .filter(run ->
                        run.cache().equals(cache) && run.terminals() == terminals && run.poolPercent() == poolPercent)
                .toList();
    }
}
