// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything that {@code simulate.json} holds, in its order.
 *
 * @param checks null if nothing was to be checked
 */
record SimulateReport(
        String command,
        String version,
        String note,
        Environment environment,
        Map<String, Object> options,
        List<Result> results,
        List<Check> checks) {
    private static final double PERCENT = 100;

    /**
     * What one policy did with one trace.
     *
     * @param trace as typed
     * @param traceName of a file without folders and endings, else as typed
     * @param pages how many different ones the trace may refer to
     * @param threads simulated ones
     * @param dirtyShare of the references: none
     * @param warmupReferences before those that count
     * @param framesInspectedPerMiss by the policy, in search of victims; null for the optimum, which does not search, and without a miss
     */
    record Result(
            String trace,
            String traceName,
            int pages,
            String policy,
            int frames,
            int threads,
            double dirtyShare,
            long warmupReferences,
            long references,
            long hits,
            double hitPercent,
            Double framesInspectedPerMiss) {

        static Result of(Cell cell, long hits, long inspected) {
            Play play = cell.play();
            long misses = play.references() - hits;
            boolean searches = !cell.policy().equals(Settings.OPTIMUM);
            return new Result(
                    play.trace(),
                    play.name(),
                    play.workload().keys(),
                    cell.policy(),
                    cell.frames(),
                    cell.threads(),
                    0,
                    play.warmupReferences(),
                    play.references(),
                    hits,
                    PERCENT * hits / play.references(),
                    searches && misses > 0 ? (double) inspected / misses : null);
        }
    }

    /**
     * A result beside the hits that were expected.
     *
     * @param differencePoints percentage points more than expected
     * @param tolerance {@code exact}, {@code info}, or percentage points
     * @param holds null for a line that is not judged
     */
    record Check(
            String trace,
            String policy,
            int frames,
            long references,
            long hits,
            long expectedReferences,
            long expectedHits,
            double differencePoints,
            String tolerance,
            Boolean holds) {

        static Check of(Result result, ExpectedHits.Line line) {
            return new Check(
                    line.trace(),
                    result.policy(),
                    result.frames(),
                    result.references(),
                    result.hits(),
                    line.requests(),
                    line.hits(),
                    line.points(result.hits()),
                    line.tolerance(),
                    line.isJudged() ? line.holds(result.hits(), result.references()) : null);
        }

        boolean fails() {
            return holds != null && !holds;
        }
    }

    /** Every line of the file that a result of one thread belongs to. */
    static List<Check> checks(ExpectedHits expected, List<Result> results) {
        List<Check> checks = new ArrayList<>();
        for (Result result : results) {
            if (result.threads() == 1) {
                expected.of(result.traceName()).stream()
                        .filter(line -> line.policy().equals(result.policy()) && line.frames() == result.frames())
                        .forEach(line -> checks.add(Check.of(result, line)));
            }
        }
        return checks;
    }

    /** Whether all that was to be checked holds, and something was. */
    boolean holds() {
        return checks == null
                || (checks.stream().noneMatch(Check::fails)
                        && checks.stream().anyMatch(check -> check.holds() != null));
    }

    /** What a reader must know of these figures. */
    static String note(Settings settings) {
        String note =
                "A hit is a reference that finds its page in a frame. One thread simulates all; no page is ever dirty.";
        return settings.threads().stream().anyMatch(n -> n > 1)
                ? note + " Threads take turns of " + settings.interleave() + " references each."
                : note;
    }
}
