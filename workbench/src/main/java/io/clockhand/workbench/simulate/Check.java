// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A result compared with the hits that were expected.
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

    /** Every line of the file that a result without dirty pages belongs to. */
    static List<Check> all(ExpectedHits expected, List<Result> results) {
        List<Check> checks = new ArrayList<>();
        for (Result result : results) {
            if (result.cell().dirtyShare().isNone()) {
                expected.of(result.cell().play().name()).stream()
                        .filter(line -> line.policy().equals(result.cell().policy())
                                && line.frames() == result.cell().frames()
                                && line.threads() == result.cell().threads())
                        .forEach(line -> checks.add(of(result, line)));
            }
        }
        return checks;
    }

    private static Check of(Result result, ExpectedHits.Line line) {
        return new Check(
                line.trace(),
                line.policy(),
                line.frames(),
                result.references(),
                result.hits(),
                line.requests(),
                line.hits(),
                line.points(result.hits()),
                line.tolerance(),
                line.isJudged() ? line.holds(result.hits(), result.references()) : null);
    }

    boolean isJudged() {
        return holds != null;
    }

    boolean fails() {
        return isJudged() && !holds;
    }

    private boolean isOfOtherReferences() {
        return references != expectedReferences;
    }

    /** As the page's table has it. */
    String verdict() {
        return !isJudged() ? Figures.NOT_MEASURED : holds ? "yes" : isOfOtherReferences() ? "other references" : "no";
    }

    @Override
    public String toString() {
        String where = String.format(Locale.ROOT, "%s, %,d frames, %s: ", trace, frames, policy);
        if (isJudged() && isOfOtherReferences()) {
            return where
                    + String.format(
                            Locale.ROOT,
                            "counted %,d references, the check is about %,d",
                            references,
                            expectedReferences);
        }
        return where
                + String.format(
                        Locale.ROOT,
                        "%,d hits, expected %,d (%+.3f points; %s)",
                        hits,
                        expectedHits,
                        differencePoints,
                        toleranceInWords());
    }

    private String toleranceInWords() {
        return !isJudged() ? "for information" : tolerance.equals("exact") ? "must be exact" : "tolerance " + tolerance;
    }
}
