// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.driver.PageRecorder.Recorded;
import io.clockhand.workbench.derby.tpcc.RunAnswer.Percentiles;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Advised;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Grid;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** The command {@code tpcc}. */
@Command(
        name = "tpcc",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Runs TPC-C on an embedded Apache Derby, with Derby's own page cache and with Clockhand's, each run in its \
            own JVM and on its own copy of the data, and checks the data afterwards.""",
        footer = "Not an audited TPC-C result.")
public final class TpccCommand extends TpccExperiment {
    public TpccCommand() {
        this(null);
    }

    /** The experiment on a database of another size. */
    TpccCommand(Scale otherScale) {
        super(otherScale);
    }

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        List<String> lines = new ArrayList<>();
        if (answer.recorded() != null) {
            lines.add(inWords(answer.recorded()));
        }
        if (pool().wasFilling(answer.residentAtStart())) {
            lines.add(pool().filling(run.cell(), answer.residentAtStart()));
        }
        if (run.counted() != null) {
            return lines;
        }
        lines.addAll(overfull(run, answer));
        if (answer.errors() != null && answer.errors() > 0 && answer.failure() == null) {
            lines.add("Warning: " + run.cell() + " gave up " + answer.errors() + " transactions.");
        }
        if (tpmC(run) != null) {
            lines.add(String.format(
                    Locale.ROOT, "  %s: %,.0f new-orders a minute", run.cell().name(), tpmC(run)));
        }
        return lines;
    }

    private String inWords(Recorded recorded) {
        return String.format(
                Locale.ROOT,
                "Recorded %,d references to %,d pages, %.1f %% of them writes: %s",
                recorded.references(),
                recorded.pages(),
                recorded.references() == 0 ? 0 : 100.0 * recorded.writes() / recorded.references(),
                record);
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /** New-orders a minute of the contender's own running time. */
    private static Double tpmC(Run<?, ?, RunAnswer> run) {
        return run.turns() == null
                ? run.timed(RunAnswer::tpmC)
                : Double.valueOf(60 * run.turns().standing().operationsPerSecond());
    }

    private static boolean isConsistent(Run<?, ?, RunAnswer> run) {
        return run.timed() != null
                && run.timed().broken() != null
                && run.timed().allHolds();
    }

    @Override
    protected boolean isValid(Run<Setting, Contender, RunAnswer> run) {
        return isConsistent(run) && isWithinPool(run);
    }

    private static Boolean isEveryConditionTrue(RunAnswer answer) {
        return answer.consistency() == null ? null : !answer.consistency().containsValue(false);
    }

    private static String conditions(Run<?, ?, RunAnswer> run) {
        Map<Integer, Boolean> consistency = run.timed(RunAnswer::consistency);
        if (consistency == null) {
            return "not checked";
        }
        String broken = consistency.entrySet().stream()
                .filter(condition -> !condition.getValue())
                .map(condition -> condition.getKey().toString())
                .collect(Collectors.joining(", "));
        return broken.isEmpty() ? "1 – 12 hold" : "broken: " + broken;
    }

    private static Percentiles latency(RunAnswer answer, Kind kind) {
        return answer.latencyMicros() == null ? null : answer.latencyMicros().get(kind.jsonName());
    }

    private static Double perTransaction(RunAnswer counted, Long pages) {
        Long transactions = counted.transactions();
        return pages == null || transactions == null || transactions == 0 ? null : (double) pages / transactions;
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String rate() {
        return "tpmC";
    }

    @Override
    protected String lead() {
        return String.format(
                Locale.ROOT,
                "%s, pool of %,d pages, durability %s, %s, %s keying and think time, Derby %s",
                Figures.counted(warehouses, "warehouses"),
                pool().pages(),
                durability,
                super.lead(),
                keying ? "with" : "no",
                derby().derby());
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of("Not an audited TPC-C result. Latencies are those of a closed loop of terminals, which hides"
                + " queueing; that of a delivery runs from its queueing to its end. In a duel only operations within"
                + " one slice count for latencies.");
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("cache", Contender::name),
                figure("warehouses", run -> warehouses),
                setting("terminals", Setting::terminals).inWords("%s terminals"),
                repeat(),
                poolPages(),
                figure("durability", run -> durability.toString()),
                figure("seconds", run -> times().seconds()),
                figure("tpmC", TpccCommand::tpmC).as("tpmC", "%,.0f").inSummary(),
                timed("transactions", RunAnswer::transactions)
                        .as("transactions", "%,.0f")
                        .onlyOfRuns(),
                timed("retries", RunAnswer::retries).as("retries", "%,.0f").added(),
                timed("errors", RunAnswer::errors).as("errors", "%,.0f").added(),
                counted("hitRatio", RunAnswer::hitRatio).asPercent("hits %").onlyInTables(),
                counted("readsPerTransaction", counted -> perTransaction(counted, counted.pageReads()))
                        .as("reads/tx", "%.3f")
                        .onlyInTables(),
                counted("writesPerTransaction", counted -> perTransaction(counted, counted.pageWrites()))
                        .as("writes/tx", "%.3f")
                        .onlyInTables(),
                timed("latencyMicros", RunAnswer::latencyMicros).onlyInJson()));
        for (Kind kind : Kind.values()) {
            columns.add(latency(kind, "P50", Percentiles::p50));
            columns.add(latency(kind, "P95", Percentiles::p95));
            columns.add(latency(kind, "P99", Percentiles::p99));
        }
        columns.addAll(List.of(
                maxResidentPages(),
                valid(),
                timed("consistency", RunAnswer::consistency).onlyInJson(),
                timed("consistent", TpccCommand::isEveryConditionTrue).notInJson(),
                figure("conditions", TpccCommand::conditions)
                        .as("conditions", "%s")
                        .onlyOfRuns()
                        .onlyInTables()
                        .badIf(run -> !isConsistent(run))));
        return columns;
    }

    private Column<Run<Setting, Contender, RunAnswer>> latency(
            Kind kind, String percentile, Function<Percentiles, Long> part) {
        return timed(kind.jsonName() + percentile + "Micros", answer -> {
                    Percentiles latency = latency(answer, kind);
                    return latency == null ? null : part.apply(latency);
                })
                .notInJson();
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        List<Run<Setting, Contender, RunAnswer>> counted = counted(results.runs());
        addCharts(report, "New-orders a minute: medians, and every run as a point", "tpmC", "new-orders a minute");
        report.add("counted", counted.stream().map(this::countedJson).toList()).table(latencies(results.runs()));
        if (advice.policies() != null) {
            report.added(Advised.table(counted.stream().map(this::advised).toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size",
                            "cache",
                            new Chart.Estimates("counted", "poolPages", "pages of the cache")));
        }
    }

    private List<Run<Setting, Contender, RunAnswer>> counted(List<Run<Setting, Contender, RunAnswer>> runs) {
        return runs.stream().filter(this::isCounted).toList();
    }

    private Map<String, Object> countedJson(Run<Setting, Contender, RunAnswer> run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cache", run.contender().name());
        fields.put("terminals", run.setting().terminals());
        fields.put("hitRatio", run.counted(RunAnswer::hitRatio));
        fields.put("pageReads", run.counted(RunAnswer::pageReads));
        fields.put("pageWrites", run.counted(RunAnswer::pageWrites));
        fields.put("transactions", run.counted(RunAnswer::transactions));
        if (advice.policies() != null) {
            fields.put("poolPages", pool().pages());
            fields.put("estimates", run.counted(RunAnswer::estimates));
        }
        return fields;
    }

    private Advised advised(Run<Setting, Contender, RunAnswer> run) {
        return new Advised(
                run.cell().name(),
                derby().terminals().size() == 1 ? "" : run.setting().terminals() + " terminals",
                pool().pages(),
                run.counted(RunAnswer::hitRatio),
                run.counted(RunAnswer::estimates));
    }

    private static Grid latencies(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> head =
                new ArrayList<>(Stream.of("cache", "terminals", "repeat").toList());
        Arrays.stream(Kind.values()).map(Kind::jsonName).forEach(head::add);
        List<List<Object>> rows = new ArrayList<>();
        for (Run<Setting, Contender, RunAnswer> run : runs) {
            List<Object> row = new ArrayList<>(List.of(
                    run.cell().name(), run.setting().terminals(), run.cell().repeat()));
            Arrays.stream(Kind.values())
                    .map(kind -> millis(run.timed(answer -> latency(answer, kind))))
                    .forEach(row::add);
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

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        List<RunAnswer> answers = Stream.concat(
                        results.runs().stream().map(Run::timed),
                        counted(results.runs()).stream().map(Run::counted))
                .toList();
        long filling = answers.stream()
                .filter(answer -> answer != null && pool().wasFilling(answer.residentAtStart()))
                .count();
        if (filling > 0) {
            lines.add("In " + filling + " of " + answers.size()
                    + " runs the pool was still filling when measuring began.");
        }
        return lines;
    }
}
