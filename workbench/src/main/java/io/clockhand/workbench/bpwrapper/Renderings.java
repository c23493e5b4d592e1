// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.BpWrapperReport.Run;
import io.clockhand.workbench.bpwrapper.BpWrapperReport.Summary;
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

/** A report as a table, as JSON, as CSV and as a page with charts. */
final class Renderings {
    private static final double PERCENT = 100;

    private Renderings() {}

    static ResultFiles files(BpWrapperReport report, Path directory) {
        return new ResultFiles(directory)
                .add("bp-wrapper.json", Json.of(report))
                .add("bp-wrapper.csv", csv(report))
                .add("bp-wrapper.html", page(report));
    }

    static String page(BpWrapperReport report) {
        return HtmlPage.of(Renderings.class, "bp-wrapper.html", Json.of(report));
    }

    /** The runs, one a line. */
    static String csv(BpWrapperReport report) {
        Csv csv = new Csv(List.of(
                "form",
                "policy",
                "threads",
                "queueSize",
                "threshold",
                "stream",
                "missPercent",
                "repeat",
                "accesses",
                "operationsPerSecond",
                "lockAcquisitionsPerMillion",
                "contentionsPerMillion",
                "failedTriesPerMillion",
                "toldHitsPerMillion",
                "hitRatio",
                "p50Micros",
                "p95Micros",
                "p99Micros",
                "timedAccesses",
                "wrongPages",
                "valid"));
        report.runs().forEach(run -> csv.add(csvRow(run)));
        return csv.toString();
    }

    private static List<Object> csvRow(Run run) {
        boolean latencies = run.latencyMicros() != null;
        return Arrays.asList(
                run.form(),
                run.policy(),
                run.threads(),
                run.queueSize(),
                run.threshold(),
                run.stream(),
                run.missPercent(),
                run.repeat(),
                run.accesses(),
                run.operationsPerSecond(),
                run.lockAcquisitionsPerMillion(),
                run.contentionsPerMillion(),
                run.failedTriesPerMillion(),
                run.toldHitsPerMillion(),
                run.hitRatio(),
                latencies ? run.latencyMicros().p50() : null,
                latencies ? run.latencyMicros().p95() : null,
                latencies ? run.latencyMicros().p99() : null,
                run.timedAccesses(),
                run.wrongPages(),
                run.valid());
    }

    /** What is the same in all runs, in a line; then one line for each contender in each setting. */
    static String table(BpWrapperReport report) {
        Columns<Summary> columns = new Columns<Summary>()
                .key("form", Summary::form)
                .setting("policy", Summary::policy)
                .setting("stream", Summary::stream)
                .setting("miss %", line -> Figures.brief(line.missPercent()))
                .setting("queue", line -> Figures.of("%d", line.queueSize()))
                .setting("threshold", line -> Figures.of("%d", line.threshold()))
                .setting("threads", line -> Integer.toString(line.threads()))
                .figure("locks/M", line -> median("%,.0f", line.lockAcquisitionsPerMillion()))
                .figure("contentions/M", line -> median("%,.1f", line.contentionsPerMillion()))
                .figure("failed tries/M", line -> median("%,.1f", line.failedTriesPerMillion()))
                .figure("hits told/M", line -> median("%,.0f", line.toldHitsPerMillion()))
                .figure("hits %", line -> median("%.2f", percent(line.hitRatio())));
        if (report.options().get("seconds") != null) {
            columns.figure("ops/s", line -> median("%,.0f", line.operationsPerSecond()));
            if (report.runs().stream().anyMatch(run -> run.repeat() > 1)) {
                columns.figure(
                        "min",
                        line -> Figures.of("%,.0f", line.operationsPerSecond()).get(1));
                columns.figure(
                        "max",
                        line -> Figures.of("%,.0f", line.operationsPerSecond()).get(2));
            }
            if (report.summary().stream().anyMatch(line -> line.ratioToFirst() != null)) {
                columns.figure(
                        "to " + report.summary().get(0).form(), line -> Figures.medianAndRange(line.ratioToFirst()));
            }
        }
        return columns.table(report.summary());
    }

    private static String median(String format, Spread spread) {
        return Figures.of(format, spread == null ? null : spread.median());
    }

    private static Spread percent(Spread ratio) {
        return ratio == null
                ? null
                : new Spread(PERCENT * ratio.min(), PERCENT * ratio.median(), PERCENT * ratio.max());
    }
}
