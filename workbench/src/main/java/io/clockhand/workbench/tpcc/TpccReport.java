// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.advice.Advised;
import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Grid;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.tpcc.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.tpcc.transactions.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of {@code tpcc}. */
record TpccReport(Settings settings, Pool pool, List<Run> runs, List<Run> counted) {
    static final String NOTE = "Not an audited TPC-C result. Latencies are those of a closed loop of terminals, which"
            + " hides queueing; that of a delivery runs from its queueing to its end. In a duel only operations"
            + " within"
            + " one slice count for latencies.";

    private static List<Column<Run>> columns(Settings settings, Pool pool) {
        List<Column<Run>> columns = new ArrayList<>(List.of(
                Column.contender("cache", run -> run.cell().contender().name()),
                Column.figure("warehouses", run -> settings.warehouses()),
                Column.<Run>setting("terminals", run -> run.cell().setting().terminals())
                        .inWords("%s terminals"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns(),
                Column.figure("poolPages", run -> pool.pages()),
                Column.figure("durability", run -> settings.durability().toString()),
                Column.figure("seconds", run -> settings.times().seconds()),
                Column.figure("tpmC", Run::tpmC).as("tpmC", "%,.0f").inSummary(),
                Column.<Run>figure("transactions", run -> run.answer().transactions())
                        .as("transactions", "%,.0f")
                        .onlyOfRuns(),
                Column.<Run>figure("retries", run -> run.answer().retries())
                        .as("retries", "%,.0f")
                        .added(),
                Column.<Run>figure("errors", run -> run.answer().errors())
                        .as("errors", "%,.0f")
                        .added(),
                Column.<Run>figure("hitRatio", run -> run.counted().hitRatio())
                        .asPercent("hits %")
                        .onlyInTables(),
                Column.figure("readsPerTransaction", Run::readsPerTransaction)
                        .as("reads/tx", "%.3f")
                        .onlyInTables(),
                Column.figure("writesPerTransaction", Run::writesPerTransaction)
                        .as("writes/tx", "%.3f")
                        .onlyInTables(),
                Column.<Run>figure("latencyMicros", run -> run.answer().latencyMicros())
                        .onlyInJson()));
        for (Kind kind : Kind.values()) {
            columns.add(latency(kind, "P50", Percentiles::p50));
            columns.add(latency(kind, "P95", Percentiles::p95));
            columns.add(latency(kind, "P99", Percentiles::p99));
        }
        columns.addAll(List.of(
                Column.<Run>figure("maxResidentPages", run -> run.answer().maxResidentPages())
                        .as("max resident", "%,.0f")
                        .largest()
                        .badIf(run -> !run.withinPool()),
                Column.figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()),
                Column.<Run>figure("consistency", run -> run.answer().consistency())
                        .onlyInJson(),
                Column.figure("consistent", TpccReport::isEveryConditionTrue).notInJson(),
                Column.figure("conditions", TpccReport::conditions)
                        .as("conditions", "%s")
                        .onlyOfRuns()
                        .onlyInTables()
                        .badIf(run -> !run.isConsistent())));
        return columns;
    }

    private static Column<Run> latency(Kind kind, String percentile, Function<Percentiles, Long> part) {
        return Column.<Run>figure(kind.jsonName() + percentile + "Micros", run -> {
                    Percentiles latency = run.latency(kind);
                    return latency == null ? null : part.apply(latency);
                })
                .notInJson();
    }

    private static Boolean isEveryConditionTrue(Run run) {
        Map<Integer, Boolean> consistency = run.answer().consistency();
        return consistency == null ? null : !consistency.containsValue(false);
    }

    private static String conditions(Run run) {
        if (run.answer().consistency() == null) {
            return "not checked";
        }
        String broken = run.answer().consistency().entrySet().stream()
                .filter(condition -> !condition.getValue())
                .map(condition -> condition.getKey().toString())
                .collect(Collectors.joining(", "));
        return broken.isEmpty() ? "1 – 12 hold" : "broken: " + broken;
    }

    /** Each measured run with the counts of its contender and setting. */
    Results<Run> results() {
        List<Run> all = runs.stream()
                .map(run -> counted.stream()
                        .filter(other -> other.cell().name().equals(run.cell().name())
                                && other.cell().setting().equals(run.cell().setting()))
                        .findFirst()
                        .map(other -> run.with(other.answer()))
                        .orElse(run))
                .toList();
        return new Results<>(
                columns(settings, pool),
                all,
                "tpmC",
                Run::cell,
                Run::turns,
                settings.times().slice(),
                settings.derby().baseline(settings.times()),
                "ratioToDerby");
    }

    Report report() {
        Results<Run> results = results();
        Report report = new Report(
                        "tpcc",
                        "TPC-C on Apache Derby",
                        lead(),
                        NOTE,
                        Environment.here(DerbyChildren.jvmFlags(settings.derby().heap())),
                        settings.asOptions())
                .add("derbyProperties", TpccRuns.derbyProperties(settings, pool))
                .results("runs", results)
                .add("counted", counted.stream().map(this::countedJson).toList())
                .summary(results)
                .table(latencies())
                .chart(Chart.bars(
                        "New-orders a minute: medians, and every run as a point", "terminals", "tpmC", "tpmC"))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's new-orders a minute"));
        if (settings.advice().policies() != null) {
            report.added(Advised.table(counted.stream().map(this::advised).toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size",
                            "cache",
                            new Chart.Estimates("counted", "poolPages", "pages of the cache")));
        }
        return report;
    }

    private Advised advised(Run run) {
        return new Advised(
                run.cell().name(),
                settings.derby().terminals().size() == 1
                        ? ""
                        : run.cell().setting().terminals() + " terminals",
                pool.pages(),
                run.answer().hitRatio(),
                run.answer().estimates());
    }

    private String lead() {
        return String.format(
                Locale.ROOT,
                "%s, pool of %,d pages, durability %s, %d s of own time measured after %d s of warm-up, %s keying"
                        + " and think time,"
                        + " Derby %s",
                Figures.counted(settings.warehouses(), "warehouses"),
                pool.pages(),
                settings.durability(),
                settings.times().seconds(),
                settings.times().warmup(),
                settings.keying() ? "with" : "no",
                settings.derby().derby());
    }

    private Map<String, Object> countedJson(Run run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cache", run.cell().contender().name());
        fields.put("terminals", run.cell().setting().terminals());
        fields.put("hitRatio", run.answer().hitRatio());
        fields.put("pageReads", run.answer().pageReads());
        fields.put("pageWrites", run.answer().pageWrites());
        fields.put("transactions", run.answer().transactions());
        if (settings.advice().policies() != null) {
            fields.put("poolPages", pool.pages());
            fields.put("estimates", run.answer().estimates());
        }
        return fields;
    }

    private Grid latencies() {
        List<String> head =
                new ArrayList<>(Stream.of("cache", "terminals", "repeat").toList());
        Arrays.stream(Kind.values()).map(Kind::jsonName).forEach(head::add);
        List<List<Object>> rows = new ArrayList<>();
        for (Run run : runs) {
            List<Object> row = new ArrayList<>(List.of(
                    run.cell().name(),
                    run.cell().setting().terminals(),
                    run.cell().repeat()));
            Arrays.stream(Kind.values()).map(kind -> millis(run.latency(kind))).forEach(row::add);
            rows.add(row);
        }
        return new Grid("Latencies in milliseconds, closed loop: p50 / p95 / p99", "", head, rows);
    }

    private static String millis(Percentiles latency) {
        return latency == null
                ? Figures.NOT_MEASURED
                : String.format(
                        Locale.ROOT,
                        "%.2f / %.2f / %.2f",
                        latency.p50() / 1e3,
                        latency.p95() / 1e3,
                        latency.p99() / 1e3);
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended with good data
     * @param runsWithoutFullPool how many runs began to measure while the pool was still filling
     */
    String conclusion(boolean good, int runsWithoutFullPool) {
        List<String> lines = new ArrayList<>(new Comparison<>(results(), "the new-orders a minute").sentences());
        lines.add(
                good
                        ? "All twelve consistency conditions held after every run."
                        : "Not every run ended with all twelve consistency conditions intact, see above.");
        if (runsWithoutFullPool > 0) {
            lines.add("In " + runsWithoutFullPool + " of " + (runs.size() + counted.size())
                    + " runs the pool was still filling when measuring began.");
        }
        return String.join(System.lineSeparator(), lines);
    }
}
