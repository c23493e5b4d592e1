// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.replay.ReplayReport.Run;
import io.clockhand.workbench.replay.ReplayReport.Summary;
import io.clockhand.workbench.report.Columns;
import io.clockhand.workbench.report.Csv;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.HtmlPage;
import io.clockhand.workbench.report.Json;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.report.Spread;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** A report as a table, as JSON, as CSV and as a page with charts. */
final class Renderings {
    private static final double PERCENT = 100;

    private Renderings() {}

    static ResultFiles files(ReplayReport report, Path directory) {
        return new ResultFiles(directory)
                .add("replay.json", Json.of(report))
                .add("replay.csv", csv(report))
                .add("replay.html", page(report));
    }

    static String page(ReplayReport report) {
        return HtmlPage.of(Renderings.class, "replay.html", Json.of(report));
    }

    /** The runs, one a line. */
    static String csv(ReplayReport report) {
        Csv csv = new Csv(List.of(
                "policy",
                "hand",
                "pageIn",
                "threads",
                "frames",
                "pageBytes",
                "workload",
                "io",
                "repeat",
                "accesses",
                "hits",
                "misses",
                "hitRatio",
                "operationsPerSecond",
                "reads",
                "wastedReads",
                "writes",
                "readStalls",
                "p50Micros",
                "p95Micros",
                "p99Micros",
                "framesInspectedPerMiss",
                "timedAccesses",
                "wrongPages",
                "valid"));
        report.runs().forEach(run -> csv.add(csvRow(run)));
        return csv.toString();
    }

    private static List<Object> csvRow(Run run) {
        boolean latencies = run.latencyMicros() != null;
        return Arrays.asList(
                run.policy(),
                run.hand(),
                run.pageIn(),
                run.threads(),
                run.frames(),
                run.pageBytes(),
                run.workload(),
                run.io(),
                run.repeat(),
                run.accesses(),
                run.hits(),
                run.misses(),
                run.hitRatio(),
                run.operationsPerSecond(),
                run.reads(),
                run.wastedReads(),
                run.writes(),
                run.readStalls(),
                latencies ? run.latencyMicros().p50() : null,
                latencies ? run.latencyMicros().p95() : null,
                latencies ? run.latencyMicros().p99() : null,
                run.framesInspectedPerMiss(),
                run.timedAccesses(),
                run.wrongPages(),
                run.valid());
    }

    /** What is the same in all runs, in a line; then one line for each contender in each setting. */
    static String table(ReplayReport report) {
        Columns<Summary> columns = new Columns<Summary>()
                .key("policy", Summary::policy)
                .setting("hand", line -> Figures.of("%s", line.hand()))
                .setting("page-in", Summary::pageIn)
                .setting("workload", line -> Cell.brief(line.workload()))
                .setting("io", Summary::io)
                .setting("frames", line -> Figures.of("%,d", line.frames()))
                .setting("threads", line -> Integer.toString(line.threads()))
                .figure("hits %", line -> median(report, line, "%.2f", run -> percent(run.hitRatio())));
        if (report.options().get("seconds") != null) {
            addTimes(columns, report);
        } else {
            columns.figure("hits", line -> median(report, line, "%,.0f", run -> number(run.hits())));
        }
        return columns.figure("reads", line -> median(report, line, "%,.0f", run -> number(run.reads())))
                .figure("wasted", line -> median(report, line, "%,.0f", run -> number(run.wastedReads())))
                .figure("inspected/miss", line -> median(report, line, "%.2f", Run::framesInspectedPerMiss))
                .table(report.summary());
    }

    private static void addTimes(Columns<Summary> columns, ReplayReport report) {
        columns.figure("ops/s", line -> median(report, line, "%,.0f", Run::operationsPerSecond));
        if (report.runs().stream().anyMatch(run -> run.repeat() > 1)) {
            columns.figure(
                    "min",
                    line -> Figures.of("%,.0f", line.operationsPerSecond()).get(1));
            columns.figure(
                    "max",
                    line -> Figures.of("%,.0f", line.operationsPerSecond()).get(2));
        }
        if (report.summary().stream().anyMatch(line -> line.ratioToFirst() != null)) {
            String first = report.contender(report.summary().get(0));
            columns.figure("to " + first, line -> Figures.medianAndRange(line.ratioToFirst()));
        }
        columns.figure("p50 µs", line -> median(report, line, "%.2f", Renderings::p50));
        columns.figure("p95 µs", line -> median(report, line, "%.2f", Renderings::p95));
        columns.figure("p99 µs", line -> median(report, line, "%.2f", Renderings::p99));
    }

    private static String median(ReplayReport report, Summary line, String format, Function<Run, Double> figure) {
        Spread spread = ReplayReport.spread(report.runsOf(line), figure);
        return Figures.of(format, spread == null ? null : spread.median());
    }

    private static Double percent(Double ratio) {
        return ratio == null ? null : PERCENT * ratio;
    }

    private static Double number(Long count) {
        return count == null ? null : Double.valueOf(count);
    }

    private static Double p50(Run run) {
        return run.latencyMicros() == null
                ? null
                : Double.valueOf(run.latencyMicros().p50());
    }

    private static Double p95(Run run) {
        return run.latencyMicros() == null
                ? null
                : Double.valueOf(run.latencyMicros().p95());
    }

    private static Double p99(Run run) {
        return run.latencyMicros() == null
                ? null
                : Double.valueOf(run.latencyMicros().p99());
    }
}
