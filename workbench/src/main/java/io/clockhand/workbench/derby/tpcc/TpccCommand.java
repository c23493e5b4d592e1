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
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        if (answer.statistics() != null && answer.statistics().recorded() != null) {
            lines.add(inWords(answer.statistics().recorded()));
        }
        if (wasFilling(answer)) {
            lines.add(pool().filling(run.cell(), answer.residentAtStart()));
        }
        if (run.counted() != null) {
            return lines;
        }
        if (!pool().holds(answer.maxResidentPages())) {
            lines.add(pool().overfull(run.cell(), answer.maxResidentPages()));
        }
        if (answer.errors() > 0) {
            lines.add("Warning: " + run.cell() + " gave up " + answer.errors() + " transactions.");
        }
        lines.add(String.format(Locale.ROOT, "  %s: %,.0f %s", run.cell().name(), throughput(run), given.work.unit));
        return lines;
    }

    private String inWords(Recorded recorded) {
        return String.format(
                Locale.ROOT,
                "Recorded %,d references to %,d pages, %.1f %% of them writes: %s",
                recorded.references(),
                recorded.pages(),
                recorded.references() == 0 ? 0 : 100.0 * recorded.writes() / recorded.references(),
                given.record);
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /** Of the contender's own running time. */
    private Double throughput(Run<?, ?, RunAnswer> run) {
        Double perSecond = run.operationsPerSecond();
        return perSecond == null ? null : Double.valueOf(given.work.seconds * perSecond);
    }

    /** Whether the run ended, every check held, and the cache kept to its pool. */
    @Override
    protected boolean isValid(Run<Setting, Contender, RunAnswer> run) {
        return run.timed() != null && run.timed().allHolds() && isWithinPool(run);
    }

    private boolean isWithinPool(Run<?, ?, RunAnswer> run) {
        return run.timed() == null || pool().holds(run.timed().maxResidentPages());
    }

    /** Selects fill the pool at once, or need less than the whole of it. */
    private boolean wasFilling(RunAnswer answer) {
        return given.work == Work.TRANSACTIONS && pool().wasFilling(answer.residentAtStart());
    }

    private static Double perTransaction(RunAnswer counted, long pages) {
        return counted.transactions() == 0 ? null : Double.valueOf((double) pages / counted.transactions());
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String rate() {
        return given.work.rate;
    }

    @Override
    protected String ratioOfPairs() {
        return "ratioToDerby";
    }

    /** The typed one, Derby's own cache, or null for the first. */
    @Override
    protected String baseline() {
        String typed = times().baseline();
        return typed == null && given.caches.contains(Contender.DERBY) ? Contender.DERBY : typed;
    }

    @Override
    protected String lead() {
        return String.format(
                Locale.ROOT,
                "%s, %s, pool of %,d pages, durability test, %s, no keying or think time, Derby %s",
                Figures.counted(given.warehouses, "warehouses"),
                given.work,
                pool().pages(),
                super.lead(),
                given.derby);
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of("Not an audited TPC-C result. Latencies are those of a closed loop of terminals, which hides"
                + " queueing; that of a delivery runs from its queueing to its end. In a duel only operations within"
                + " one slice count for latencies.");
    }

    @Override
    protected Map<String, Object> options() {
        Map<String, Object> options = super.options();
        options.put("countedSeconds", countedSeconds());
        return options;
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("cache", Contender::name),
                figure("warehouses", run -> given.warehouses),
                setting("terminals", Setting::terminals).inWords("%s terminals"),
                repeat(),
                figure("poolPages", run -> pool().pages()),
                figure(rate(), this::throughput).as(rate(), "%,.0f").inSummary(),
                timed("transactions", RunAnswer::transactions)
                        .as("transactions", "%,.0f")
                        .onlyOfRuns(),
                timed("retries", RunAnswer::retries).as("retries", "%,.0f").added(),
                timed("errors", RunAnswer::errors).as("errors", "%,.0f").added(),
                counted("hitRatio", answer -> answer.statistics().hitRatio())
                        .asPercent("hits %")
                        .onlyInTables(),
                counted(
                                "readsPerTransaction",
                                answer -> perTransaction(
                                        answer, answer.statistics().pageReads()))
                        .as("reads/tx", "%.3f")
                        .onlyInTables(),
                counted(
                                "writesPerTransaction",
                                answer -> perTransaction(
                                        answer, answer.statistics().pageWrites()))
                        .as("writes/tx", "%.3f")
                        .onlyInTables(),
                timed("latencyMicros", RunAnswer::latencyMicros).onlyInJson(),
                timed("maxResidentPages", RunAnswer::maxResidentPages)
                        .as("max resident", "%,.0f")
                        .largest()
                        .badIf(run -> !isWithinPool(run)),
                valid(),
                timed("consistency", answer -> Consistency.asFlags(answer.broken()))
                        .onlyInJson()));
        for (Kind kind : given.work == Work.TRANSACTIONS ? Kind.values() : new Kind[0]) {
            String name = kind.jsonName();
            columns.add(timed(name, answer -> inMillis(answer.latencyMicros().get(name)))
                    .as(name + ", p50 / p95 / p99 in ms", "%s")
                    .onlyOfRuns()
                    .onlyInTables());
        }
        return columns;
    }

    private static String inMillis(Percentiles micros) {
        return micros == null
                ? null
                : String.format(
                        Locale.ROOT, "%.2f / %.2f / %.2f", micros.p50() / 1e3, micros.p95() / 1e3, micros.p99() / 1e3);
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        List<Run<Setting, Contender, RunAnswer>> counted =
                results.runs().stream().filter(this::isCounted).toList();
        report.add("derbyProperties", commonProperties())
                .chart(Chart.bars(
                        "Throughput: medians, and every run as a point", "terminals", rate(), given.work.unit))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's " + given.work.unit))
                .add("counted", counted.stream().map(this::countedJson).toList());
        if (given.advice.policies() != null) {
            report.added(Advised.table(counted.stream().map(this::advised).toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size",
                            "cache",
                            new Chart.Estimates("counted", "poolPages", "pages of the cache")));
        }
    }

    private Map<String, Object> countedJson(Run<Setting, Contender, RunAnswer> run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cache", run.contender().name());
        fields.put("terminals", run.setting().terminals());
        fields.put("hitRatio", run.counted(answer -> answer.statistics().hitRatio()));
        fields.put("pageReads", run.counted(answer -> answer.statistics().pageReads()));
        fields.put("pageWrites", run.counted(answer -> answer.statistics().pageWrites()));
        fields.put("transactions", run.counted(RunAnswer::transactions));
        if (given.advice.policies() != null) {
            fields.put("poolPages", pool().pages());
            fields.put("estimates", run.counted(answer -> answer.statistics().estimates()));
        }
        return fields;
    }

    private Advised advised(Run<Setting, Contender, RunAnswer> run) {
        return new Advised(
                run.cell().name(),
                given.terminals.size() == 1 ? "" : run.setting().toString(),
                pool().pages(),
                run.counted(answer -> answer.statistics().hitRatio()),
                run.counted(answer -> answer.statistics().estimates()));
    }

    @Override
    protected Comparison<Run<Setting, Contender, RunAnswer>> comparison(
            Results<Run<Setting, Contender, RunAnswer>> results) {
        return new Comparison<>(results, "the " + given.work.unit);
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        List<RunAnswer> answers = results.runs().stream().flatMap(Run::answers).toList();
        long filling = answers.stream().filter(this::wasFilling).count();
        if (filling > 0) {
            lines.add("In " + filling + " of " + answers.size()
                    + " runs the pool was still filling when measuring began.");
        }
        return lines;
    }
}
