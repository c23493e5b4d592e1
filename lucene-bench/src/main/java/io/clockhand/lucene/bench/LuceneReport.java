// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The results of {@code lucene}.
 *
 * @param indexBytes of the index
 * @param groups whether memory groups limited the page cache where memory was limited
 */
record LuceneReport(Settings settings, List<Run> runs, long indexBytes, boolean groups) {
    private static final String RATE = "searchesPerSecond";
    private static final double MEGABYTE = 1e6;
    private static final double KILOBYTE = 1e3;

    private List<Column<Run>> columns() {
        return List.of(
                Column.contender("directory", run -> run.cell().contender().toString()),
                Column.setting("work", run -> run.setting().work().toString()),
                Column.<Run>setting("threads", run -> run.setting().threads()).inWords("%s threads"),
                Column.<Run>setting("memoryPercent", run -> run.setting().memoryPercent())
                        .as("memory %", "%s")
                        .inWords("memory for %s %%"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns(),
                Column.<Run>figure(RATE, Run::searchesPerSecond)
                        .as("searches/s", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("latencyMicros", run -> run.of(RunAnswer::latencyMicros))
                        .onlyInJson(),
                latency("p50", Percentiles::p50),
                latency("p95", Percentiles::p95),
                latency("p99", Percentiles::p99),
                Column.<Run>figure("readKilobytesPerSearch", run -> scaled(run.of(RunAnswer::readBytes), KILOBYTE))
                        .as("kB read/search", "%,.1f")
                        .inSummary(),
                Column.<Run>figure("mergedMegabytes", run -> scaled(run.of(RunAnswer::mergedBytes), MEGABYTE))
                        .as("MB merged", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("memoryMegabytes", run -> scaled(run.of(RunAnswer::memoryBytes), MEGABYTE))
                        .as("MB of memory", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("wrongResults", run -> run.of(RunAnswer::wrongResults)),
                Column.<Run>figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()));
    }

    private static Double scaled(Number bytes, double unit) {
        return bytes == null ? null : Double.valueOf(bytes.doubleValue() / unit);
    }

    private static Column<Run> latency(String name, Function<Percentiles, Double> percentile) {
        return Column.<Run>figure(name + "Micros", run -> run.latency(percentile))
                .as(name + " µs", "%,.0f")
                .inSummary()
                .notInJson();
    }

    Results<Run> results() {
        return new Results<>(
                columns(),
                runs,
                RATE,
                Run::cell,
                Run::turns,
                settings.times().slice(),
                settings.times().baseline(),
                "ratioOfPairs");
    }

    Report report() {
        Results<Run> results = results();
        String lead = String.format(
                Locale.ROOT,
                "%,d documents in %d segments, %,.0f MB, %d s of own time measured after %d s of warm-up",
                settings.documents(),
                settings.segments(),
                indexBytes / MEGABYTE,
                settings.times().seconds(),
                settings.times().warmup());
        return new Report(
                        "lucene",
                        "Searches in an index of Apache Lucene",
                        lead,
                        note(),
                        Environment.here(settings.jvmFlags()),
                        settings.asOptions())
                .add("indexBytes", indexBytes)
                .add("memoryGroups", groups)
                .results("runs", results)
                .summary(results)
                .chart(Chart.bars("Ratio with its 95 % interval", "work", "ratio", "times the baseline's searches/s"))
                .chart(Chart.bars("Searches a second", "work", RATE, "searches/s")
                        .logarithmic())
                .chart(Chart.bars("Latency, 99th percentile", "work", "latencyMicros.p99", "µs")
                        .logarithmic());
    }

    private String note() {
        List<String> sentences = new ArrayList<>();
        sentences.add("A closed loop of threads.");
        if (settings.contenders().stream()
                .anyMatch(contender -> contender.toString().startsWith("caffeine"))) {
            sentences.add("caffeine is a stand-in for the block cache of OpenSearch's storage encryption.");
        }
        if (groups) {
            sentences.add("Where memory is limited each contender has a memory group and a copy of the index of its"
                    + " own, and beyond what its JVM needs as many bytes of memory as the others: in its own cache, or"
                    + " in the page cache.");
        } else if (settings.isLimited()) {
            sentences.add("This system has no memory groups: caches without direct I/O have the page cache besides.");
        }
        return String.join(" ", sentences);
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended and every search found what it should
     */
    String conclusion(boolean good) {
        List<String> lines = new ArrayList<>(new Comparison<>(results(), "the searches").sentences());
        lines.add(good ? "All contenders found the same." : "Not every run ended with right results, see above.");
        return String.join(System.lineSeparator(), lines);
    }
}
