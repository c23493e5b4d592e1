// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that {@code tpcc.json} holds, in its order.
 *
 * @param note what the numbers are not
 * @param derbyProperties of the runs, without those that name the cache
 */
record TpccReport(
        String command,
        String version,
        String note,
        Environment environment,
        Map<String, Object> options,
        Map<String, String> derbyProperties,
        List<Run> runs,
        List<Counted> counted,
        List<Summary> summary) {
    static final String NOTE = "Not an audited TPC-C result. Latencies are those of a closed loop of terminals, which"
            + " hides queueing; that of a delivery runs from its queueing to its end.";

    /**
     * A measured run; what a broken run did not measure is null.
     *
     * @param valid false if the run failed, a condition does not hold, or the cache held 2 % more than its pool
     */
    record Run(
            String cache,
            int warehouses,
            int terminals,
            int repeat,
            int poolPages,
            String durability,
            int seconds,
            Double tpmC,
            Long transactions,
            Long retries,
            Long errors,
            Map<String, RunAnswer.Percentiles> latencyMicros,
            Integer maxResidentPages,
            boolean valid,
            Map<Integer, Boolean> consistency) {}

    /**
     * A counted run.
     *
     * @param transactions among which the reads and the writes divide
     */
    record Counted(String cache, int terminals, Double hitRatio, Long pageReads, Long pageWrites, Long transactions) {

        Double readsPerTransaction() {
            return perTransaction(pageReads);
        }

        Double writesPerTransaction() {
            return perTransaction(pageWrites);
        }

        private Double perTransaction(Long pages) {
            return pages == null || transactions == null || transactions == 0 ? null : (double) pages / transactions;
        }
    }

    /**
     * All repeats of a cache at a number of terminals.
     *
     * @param ratioToDerby of the repeats paired with those of Derby's cache; null without them
     */
    record Summary(String cache, int terminals, Spread tpmC, Spread ratioToDerby) {}

    /** Medians and ratios, in the order of the plan. */
    static List<Summary> summarize(Settings settings, List<Run> runs) {
        List<Summary> summaries = new ArrayList<>();
        for (int terminals : settings.terminals()) {
            for (Contender cache : settings.caches()) {
                List<Run> own = of(runs, cache.name(), terminals);
                List<Double> tpmC =
                        own.stream().map(Run::tpmC).filter(Objects::nonNull).toList();
                List<Double> ratios = ratios(runs, cache.name(), terminals);
                summaries.add(new Summary(cache.name(), terminals, Spread.of(tpmC), Spread.of(ratios)));
            }
        }
        return summaries;
    }

    /** In how many repeats both this cache and Derby's have committed something to compare. */
    static long pairs(List<Run> runs, Summary summary) {
        return ratios(runs, summary.cache(), summary.terminals()).size();
    }

    private static List<Double> ratios(List<Run> runs, String cache, int terminals) {
        return Pairs.ratios(of(runs, cache, terminals), of(runs, Contender.DERBY, terminals), Run::repeat, Run::tpmC);
    }

    private static List<Run> of(List<Run> runs, String cache, int terminals) {
        return runs.stream()
                .filter(run -> run.cache().equals(cache) && run.terminals() == terminals)
                .toList();
    }
}
