// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.PageRecorder.Recorded;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.report.Estimated;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The figures of a run that went to its end.
 *
 * @param operations committed new-orders, or selects
 * @param transactions completed ones of all kinds, the roll-backs asked for included
 * @param errors transactions given up
 * @param latencyMicros by the names of transactions
 * @param residentAtStart the pages that the cache held when measuring began
 * @param maxResidentPages the most pages the cache was seen to hold
 * @param broken the conditions that do not hold, in words
 * @param damage other errors in the data: the stock, or an index; empty if nothing is
 * @param statistics null if nothing was counted
 */
record RunAnswer(
        long operations,
        Double operationsPerSecond,
        long transactions,
        long retries,
        long errors,
        Map<String, Percentiles> latencyMicros,
        int residentAtStart,
        int maxResidentPages,
        Map<Integer, String> broken,
        List<String> damage,
        Statistics statistics)
        implements Answer {

    /** Latencies in microseconds. */
    record Percentiles(long p50, long p95, long p99) {}

    /**
     * What a run with statistics has counted.
     *
     * @param hitRatio null if nothing was referred to
     * @param estimates of the cache's hit ratios, or null
     * @param recorded references to pages, or null
     */
    record Statistics(Double hitRatio, long pageReads, long pageWrites, List<Estimated> estimates, Recorded recorded) {}

    @Override
    public String wrong() {
        List<String> complaints = Stream.concat(
                        broken.entrySet().stream()
                                .map(entry ->
                                        "breaks consistency condition " + entry.getKey() + " in " + entry.getValue()),
                        damage.stream())
                .toList();
        return complaints.isEmpty() ? null : String.join("; ", complaints);
    }
}
