// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.report.Csv;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.HtmlPage;
import io.clockhand.workbench.report.Json;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.report.TextTable;
import io.clockhand.workbench.tpcc.TpccReport.Counted;
import io.clockhand.workbench.tpcc.TpccReport.Run;
import io.clockhand.workbench.tpcc.TpccReport.Summary;
import io.clockhand.workbench.tpcc.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.tpcc.transactions.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A report as a table, as JSON, as CSV and as a page with charts. */
final class Renderings {
    private Renderings() {}

    static ResultFiles files(TpccReport report, Path directory) {
        return new ResultFiles(directory)
                .add("tpcc.json", json(report))
                .add("tpcc.csv", csv(report))
                .add("tpcc.html", page(report));
    }

    /** A page with charts. */
    static String page(TpccReport report) {
        return HtmlPage.of(Renderings.class, "tpcc.html", json(report));
    }

    static String json(TpccReport report) {
        return Json.of(report);
    }

    /** The measured runs, one a line. */
    static String csv(TpccReport report) {
        List<String> header = new ArrayList<>(List.of(
                "cache",
                "warehouses",
                "terminals",
                "repeat",
                "poolPages",
                "durability",
                "seconds",
                "tpmC",
                "transactions",
                "retries",
                "errors"));
        for (Kind kind : Kind.values()) {
            for (String percentile : List.of("P50", "P95", "P99")) {
                header.add(kind.jsonName() + percentile + "Micros");
            }
        }
        header.addAll(List.of("maxResidentPages", "valid", "consistent"));
        Csv csv = new Csv(header);
        report.runs().forEach(run -> csv.add(csvRow(run)));
        return csv.toString();
    }

    private static List<Object> csvRow(Run run) {
        List<Object> row = new ArrayList<>(Arrays.asList(
                run.cache(),
                run.warehouses(),
                run.terminals(),
                run.repeat(),
                run.poolPages(),
                run.durability(),
                run.seconds(),
                run.tpmC(),
                run.transactions(),
                run.retries(),
                run.errors()));
        for (Kind kind : Kind.values()) {
            Percentiles latency = latency(run, kind);
            row.addAll(
                    latency == null
                            ? Arrays.asList(null, null, null)
                            : List.of(latency.p50(), latency.p95(), latency.p99()));
        }
        row.add(run.maxResidentPages());
        row.add(run.valid());
        row.add(run.consistency() == null ? null : !run.consistency().containsValue(false));
        return row;
    }

    private static Percentiles latency(Run run, Kind kind) {
        Map<String, Percentiles> latencies = run.latencyMicros();
        return latencies == null ? null : latencies.get(kind.jsonName());
    }

    /** One line for each cache at each number of terminals. */
    static String table(TpccReport report) {
        TextTable table = new TextTable(List.of(
                "cache",
                "terminals",
                "tpmC",
                "min",
                "max",
                "to derby",
                "min",
                "max",
                "retries",
                "errors",
                "hits %",
                "reads/tx",
                "writes/tx",
                "max resident"));
        for (Summary summary : report.summary()) {
            List<Run> runs = report.runs().stream()
                    .filter(run -> run.cache().equals(summary.cache()) && run.terminals() == summary.terminals())
                    .toList();
            List<String> row = new ArrayList<>(List.of(summary.cache(), Integer.toString(summary.terminals())));
            row.addAll(Figures.of("%,.0f", summary.tpmC()));
            row.addAll(Figures.of("%.2f", summary.ratioToDerby()));
            row.add(sum(runs.stream().map(Run::retries).toList()));
            row.add(sum(runs.stream().map(Run::errors).toList()));
            row.addAll(countedCells(report, summary));
            row.add(Figures.largest(runs.stream().map(Run::maxResidentPages).toList()));
            table.add(row);
        }
        return table.toString();
    }

    private static List<String> countedCells(TpccReport report, Summary summary) {
        Counted counted = report.counted().stream()
                .filter(c -> c.cache().equals(summary.cache()) && c.terminals() == summary.terminals())
                .findFirst()
                .orElse(new Counted(summary.cache(), summary.terminals(), null, null, null, null));
        Double percent = counted.hitRatio() == null ? null : 100 * counted.hitRatio();
        return List.of(
                Figures.of("%.2f", percent),
                Figures.of("%.3f", counted.readsPerTransaction()),
                Figures.of("%.3f", counted.writesPerTransaction()));
    }

    private static String sum(List<Long> values) {
        return values.contains(null)
                ? Figures.NOT_MEASURED
                : Figures.of("%,d", values.stream().mapToLong(Long::longValue).sum());
    }
}
