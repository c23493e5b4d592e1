// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.report.Csv;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.HtmlPage;
import io.clockhand.workbench.report.Json;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.report.TextTable;
import io.clockhand.workbench.simulate.SimulateReport.Check;
import io.clockhand.workbench.simulate.SimulateReport.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as tables, as JSON, as CSV and as a page with charts. */
final class Renderings {
    private Renderings() {}

    static ResultFiles files(SimulateReport report, Path directory) {
        return new ResultFiles(directory)
                .add("simulate.json", Json.of(report))
                .add("simulate.csv", csv(report))
                .add("simulate.html", page(report));
    }

    static String page(SimulateReport report) {
        return HtmlPage.of(Renderings.class, "simulate.html", Json.of(report));
    }

    /** The results, one a line. */
    static String csv(SimulateReport report) {
        Csv csv = new Csv(List.of(
                "trace",
                "traceName",
                "pages",
                "policy",
                "frames",
                "threads",
                "dirtyShare",
                "warmupReferences",
                "references",
                "hits",
                "hitPercent",
                "framesInspectedPerMiss"));
        for (Result result : report.results()) {
            csv.add(Arrays.asList(
                    result.trace(),
                    result.traceName(),
                    result.pages(),
                    result.policy(),
                    result.frames(),
                    result.threads(),
                    result.dirtyShare(),
                    result.warmupReferences(),
                    result.references(),
                    result.hits(),
                    result.hitPercent(),
                    result.framesInspectedPerMiss()));
        }
        return csv.toString();
    }

    /** What a table is about. */
    private record Subject(String trace, String name, int threads) {}

    /** A table for each trace by each number of threads: a row for each policy, a column for each number of frames. */
    static String tables(SimulateReport report) {
        Map<Subject, List<Result>> subjects = new LinkedHashMap<>();
        for (Result result : report.results()) {
            subjects.computeIfAbsent(
                            new Subject(result.trace(), result.traceName(), result.threads()),
                            absent -> new ArrayList<>())
                    .add(result);
        }
        List<String> tables = new ArrayList<>();
        subjects.forEach((subject, results) -> tables.add(title(subject, results.get(0)) + table(results)));
        return String.join(System.lineSeparator(), tables);
    }

    private static String title(Subject subject, Result first) {
        return String.format(
                Locale.ROOT,
                "%s, hits in percent of %,d references%s to %,d pages%s:%n",
                subject.name(),
                first.references(),
                first.warmupReferences() == 0
                        ? ""
                        : String.format(Locale.ROOT, " after %,d of warm-up", first.warmupReferences()),
                first.pages(),
                subject.threads() == 1 ? "" : ", " + subject.threads() + " threads");
    }

    private static TextTable table(List<Result> results) {
        List<Integer> frames = results.stream().map(Result::frames).distinct().toList();
        List<String> head = new ArrayList<>(List.of("policy"));
        frames.forEach(count -> head.add(Figures.of("%,d", count)));
        TextTable table = new TextTable(head);
        for (String policy : results.stream().map(Result::policy).distinct().toList()) {
            List<String> row = new ArrayList<>(List.of(policy));
            for (int count : frames) {
                row.add(results.stream()
                        .filter(result -> result.policy().equals(policy) && result.frames() == count)
                        .map(result -> Figures.of("%.2f", result.hitPercent()))
                        .findFirst()
                        .orElse(Figures.NOT_MEASURED));
            }
            table.add(row);
        }
        return table;
    }

    /** A sentence for each line that does not hold or is not judged. */
    static List<String> remarkable(List<Check> checks) {
        return checks.stream()
                .filter(check -> check.holds() == null || !check.holds())
                .map(Renderings::inWords)
                .toList();
    }

    private static String inWords(Check check) {
        String where =
                String.format(Locale.ROOT, "%s, %,d frames, %s: ", check.trace(), check.frames(), check.policy());
        if (check.holds() != null && check.references() != check.expectedReferences()) {
            return where
                    + String.format(
                            Locale.ROOT,
                            "counted %,d references, the check is about %,d",
                            check.references(),
                            check.expectedReferences());
        }
        String hits = String.format(
                Locale.ROOT,
                "%,d hits, expected %,d (%+.3f points; ",
                check.hits(),
                check.expectedHits(),
                check.differencePoints());
        return where + hits + tolerance(check) + ")";
    }

    private static String tolerance(Check check) {
        return check.holds() == null
                ? "for information"
                : check.tolerance().equals("exact") ? "must be exact" : "tolerance " + check.tolerance();
    }
}
