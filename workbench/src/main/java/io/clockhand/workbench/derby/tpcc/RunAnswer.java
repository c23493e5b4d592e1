// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.DerbyExperiment.DerbyAnswer;
import io.clockhand.workbench.derby.driver.PageRecorder.Recorded;
import io.clockhand.workbench.experiment.report.Estimated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The figures of a run; null if they were not measured.
 *
 * @param tpmC committed new-orders per minute
 * @param transactions completed ones of all kinds, the roll-backs asked for included
 * @param errors transactions given up or failed
 * @param latencyMicros by kind, as {@code tpcc.json} names it
 * @param residentAtStart the pages that the cache held when measuring began
 * @param maxResidentPages the most pages the cache was seen to hold
 * @param consistency the twelve conditions by number
 * @param broken the conditions that do not hold, in words
 * @param damage other errors in the data: the stock, or an index; empty if nothing is
 * @param estimates of the cache's hit ratios, if they were asked for
 * @param recorded references to pages, if that was asked for
 * @param failure why the run was broken off, or null
 */
public record RunAnswer(
        Double tpmC,
        Long transactions,
        Long retries,
        Long errors,
        Map<String, Percentiles> latencyMicros,
        Integer residentAtStart,
        Integer maxResidentPages,
        Map<Integer, Boolean> consistency,
        Map<Integer, String> broken,
        List<String> damage,
        Double hitRatio,
        Long pageReads,
        Long pageWrites,
        List<Estimated> estimates,
        Recorded recorded,
        String failure)
        implements DerbyAnswer {

    /** Latencies in microseconds. */
    public record Percentiles(long p50, long p95, long p99) {}

    /** Null if the run went to its end and left good data. */
    @Override
    public String wrong() {
        List<String> complaints = new ArrayList<>();
        if (failure != null) {
            complaints.add("was broken off: " + failure);
        }
        if (broken != null) {
            broken.forEach((condition, violation) ->
                    complaints.add("breaks consistency condition " + condition + " in " + violation));
        }
        if (damage != null) {
            complaints.addAll(damage);
        }
        return complaints.isEmpty() ? null : String.join("; ", complaints);
    }

    @Override
    public long operations() {
        return transactions == null ? 0 : transactions;
    }

    @Override
    public Double operationsPerSecond() {
        return tpmC == null ? null : Double.valueOf(tpmC / 60);
    }

    static RunAnswer brokenOff(long errors, String failure) {
        return new RunAnswer(
                null, null, null, errors, null, null, null, null, null, null, null, null, null, null, null, failure);
    }
}
