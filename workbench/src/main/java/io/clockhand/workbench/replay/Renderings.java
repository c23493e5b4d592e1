// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.replay.ReplayReport.Run;
import io.clockhand.workbench.replay.ReplayReport.Summary;
import io.clockhand.workbench.report.Csv;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.HtmlPage;
import io.clockhand.workbench.report.Json;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.report.TextTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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

    /** A column of the table. */
    private record Column(String head, Function<Summary, String> cell) {}

    /** What is the same in all runs, in a line; then one line for each contender in each setting. */
    static String table(ReplayReport report) {
        List<String> same = new ArrayList<>();
        List<Column> columns = new ArrayList<>(List.of(new Column("policy", Summary::policy)));
        List<Column> settings = List.of(
                new Column("hand", line -> Figures.of("%s", line.hand())),
                new Column("page-in", Summary::pageIn),
                new Column("workload", line -> Cell.brief(line.workload())),
                new Column("io", Summary::io),
                new Column("frames", line -> Figures.of("%,d", line.frames())),
                new Column("threads", line -> Integer.toString(line.threads())));
        for (Column column : settings) {
            List<String> values = report.summary().stream()
                    .map(column.cell())
                    .filter(value -> !value.equals(Figures.NOT_MEASURED)) // a policy without a hand
                    .distinct()
                    .toList();
            if (values.size() > 1) {
                columns.add(column);
            } else if (values.size() == 1) {
                same.add(column.head() + " " + values.get(0));
            }
        }
        addFigures(columns, report);
        TextTable table = new TextTable(columns.stream().map(Column::head).toList());
        report.summary()
                .forEach(line -> table.add(columns.stream()
                        .map(column -> column.cell().apply(line))
                        .toList()));
        String head = same.isEmpty() ? "" : "In all runs: " + String.join(", ", same) + System.lineSeparator();
        return head + table;
    }

    private static void addFigures(List<Column> columns, ReplayReport report) {
        boolean timed = report.options().get("seconds") != null;
        boolean repeated = report.runs().stream().anyMatch(run -> run.repeat() > 1);
        boolean compared = report.summary().stream().anyMatch(line -> line.ratioToFirst() != null);
        columns.add(new Column("hits %", line -> median(report, line, "%.2f", run -> percent(run.hitRatio()))));
        if (timed) {
            columns.add(new Column("ops/s", line -> median(report, line, "%,.0f", Run::operationsPerSecond)));
            if (repeated) {
                columns.add(new Column(
                        "min",
                        line -> Figures.of("%,.0f", line.operationsPerSecond()).get(1)));
                columns.add(new Column(
                        "max",
                        line -> Figures.of("%,.0f", line.operationsPerSecond()).get(2)));
            }
            if (compared) {
                String first = report.contender(report.summary().get(0));
                columns.add(new Column("to " + first, line -> ratio(line.ratioToFirst())));
            }
            columns.add(new Column("p50 µs", line -> median(report, line, "%.2f", Renderings::p50)));
            columns.add(new Column("p95 µs", line -> median(report, line, "%.2f", Renderings::p95)));
            columns.add(new Column("p99 µs", line -> median(report, line, "%.2f", Renderings::p99)));
        } else {
            columns.add(new Column("hits", line -> median(report, line, "%,.0f", run -> number(run.hits()))));
        }
        columns.add(new Column("reads", line -> median(report, line, "%,.0f", run -> number(run.reads()))));
        columns.add(new Column("wasted", line -> median(report, line, "%,.0f", run -> number(run.wastedReads()))));
        columns.add(new Column("inspected/miss", line -> median(report, line, "%.2f", Run::framesInspectedPerMiss)));
    }

    private static String median(ReplayReport report, Summary line, String format, Function<Run, Double> figure) {
        Spread spread = ReplayReport.spread(report.runsOf(line), figure);
        return Figures.of(format, spread == null ? null : spread.median());
    }

    private static String ratio(Spread ratio) {
        if (ratio == null || ratio.min() == ratio.max()) {
            return Figures.of("%.2f", ratio == null ? null : ratio.median());
        }
        return String.format(Locale.ROOT, "%.2f (%.2f … %.2f)", ratio.median(), ratio.min(), ratio.max());
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
