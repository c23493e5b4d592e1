// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.report.Results.Line;
import io.clockhand.workbench.sharedupdate.driver.Load;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.RunAnswer.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The results of {@code shared-update}.
 *
 * @param runs with the best exclusive ones among them
 */
record SharedUpdateReport(Settings settings, List<Run> runs) {
    private static final String RATE = "updatesPerSecond";

    private static List<Column<Run>> columns() {
        List<Column<Run>> columns = new ArrayList<>(List.of(
                Column.contender("protocol", run -> run.protocol().label()),
                Column.<Run>setting("threads", run -> run.cell().contender().threads())
                        .inWords("%s threads"),
                Column.<Run>setting("log", run -> run.cell().setting().logCost().toString())
                        .inWords("log %s"),
                Column.<Run>setting("rowLayout", Run::rowLayout)
                        .as("rows", "%s")
                        .inWords("%s rows"),
                Column.<Run>setting("rowBytes", run -> run.cell().setting().rowBytes())
                        .as("row bytes", "%s")
                        .inWords("rows of %s bytes"),
                Column.<Run>setting("pageLsnBytes", run -> run.cell().setting().pageLsnBytes())
                        .as("LSN bytes", "%s")
                        .inWords("an LSN of %s bytes"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns()));
        columns.addAll(figures());
        return columns;
    }

    private static List<Column<Run>> figures() {
        return List.of(
                Column.<Run>figure(RATE, Run::updatesPerSecond)
                        .as("updates/s", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("logMicros", run -> run.counted(Counted::logMicros))
                        .as("log µs", "%.2f")
                        .inSummary(),
                Column.<Run>figure("secondsPerMillion", Run::secondsPerMillion)
                        .as("s for a million", "%.1f")
                        .inSummary(),
                Column.figure("latchWaits", run -> run.counted(Counted::latchWaits)),
                Column.figure("countedUpdates", run -> run.counted(Counted::operations)),
                Column.<Run>figure("latchWaitsPerMillion", Run::waitsPerMillion)
                        .as("latch waits/M", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("waitingThreads", run -> run.counted(Counted::waitingThreads))
                        .as("waiting threads", "%.1f")
                        .inSummary(),
                Column.figure("retries", run -> null),
                Column.<Run>figure("cpuPercent", Run::cpuPercent)
                        .as("CPU %", "%.0f")
                        .inSummary(),
                Column.<Run>figure("contextBytes", Run::contextBytes)
                        .as("context bytes", "%.0f")
                        .inSummary(),
                Column.figure(
                        "bestOf",
                        run -> run.bestOf() == null
                                ? null
                                : run.bestOf().cell().contender().toString()),
                Column.<Run>figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()));
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

    Report report(Memory memory) {
        Results<Run> results = results();
        Report report = new Report(
                        "shared-update",
                        allocates() ? "Pages allocated by many threads" : "Rows of one page, updated by many threads",
                        settings.times().seconds() + " s of own time measured after "
                                + settings.times().warmup() + " s of warm-up",
                        note(),
                        Environment.here(memory.jvmFlags()),
                        settings.asOptions())
                .results("runs", results)
                .summary(results)
                .chart(Chart.lines("Throughput", "threads", RATE, "updates/s"));
        if (runs.stream().anyMatch(run -> run.turns() != null)) {
            report.chart(Chart.bars(
                    "Ratio with its 95 % interval",
                    "threads", "ratio", "times the throughput of " + results.baseline()));
        }
        if (runs.stream().anyMatch(run -> run.cpuPercent() != null)) {
            report.chart(Chart.bars("Processor time", "threads", "cpuPercent", "% of all processors"));
        }
        if (allocates()) {
            report.chart(Chart.bars(
                            "Elapsed time, from the throughput",
                            "threads",
                            "secondsPerMillion",
                            "s for a million allocations and frees"))
                    .chart(Chart.bars("Threads that wait for a latch", "threads", "waitingThreads", "on average"));
        }
        for (String field : settings.severalOf("rowLayout", "rowBytes", "pageLsn", "log")) {
            report.chart(Chart.bars("Throughput", field.equals("pageLsn") ? "pageLsnBytes" : field, RATE, "updates/s"));
        }
        return report.chart(Chart.lines("Latch waits", "threads", "latchWaitsPerMillion", "for a million updates"));
    }

    private boolean allocates() {
        return settings.load() == Load.ALLOCATE;
    }

    /** The limits of the figures, for the reader. */
    private String note() {
        List<String> sentences = new ArrayList<>();
        if (settings.protocols().contains(Protocol.EXCLUSIVE_BEST)) {
            sentences.add("exclusive-best is the better of exclusive-lock and exclusive-spin over all numbers of"
                    + " threads, the same for each number.");
        }
        sentences.add("Latch waits and the time of an append (median, with that of the clock) come from a shorter run,"
                + " in which they are counted. A closed loop of threads.");
        if (allocates()) {
            sentences.add("An update is an allocation or a free, by one page of a free-space map, in a pool without and"
                    + " with shared updates; latch waits are the pool's events.");
        }
        if (settings.hasWaits()) {
            sentences.add("Where the log waits, runs come one after the other, each alone; a ratio is that of one"
                    + " repeat.");
        }
        if (settings.hasFile()) {
            sentences.add("A log that writes to a file under its lock is the bottleneck itself: expect no gain.");
        }
        return String.join(" ", sentences);
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended with a right page
     */
    String conclusion(boolean good) {
        Results<Run> results = results();
        List<String> lines = new ArrayList<>();
        runs.stream()
                .filter(run -> run.bestOf() != null && run.cell().repeat() == 1)
                .map(run -> String.format(
                        Locale.ROOT,
                        "The best exclusive one with %s: %s, %,.0f updates a second.",
                        run.cell().setting(),
                        run.bestOf().cell().contender(),
                        run.updatesPerSecond()))
                .distinct()
                .forEach(lines::add);
        lines.addAll(new Comparison<>(results, "the throughput").sentences());
        results.lines().stream()
                .filter(line -> line.ratio() == null && line.paired() != null)
                .map(line -> paired(line, results))
                .forEach(lines::add);
        lines.add(good ? "Every page was right in the end." : "Not every run ended with a right page, see above.");
        return String.join(System.lineSeparator(), lines);
    }

    private static String paired(Line<Run> line, Results<Run> results) {
        return String.format(
                Locale.ROOT,
                "%s against %s, one after the other: %.2f times the throughput%s (%s).",
                line.contender(),
                results.baseline(),
                line.paired().median(),
                " with " + results.settingInWords(line.runs().get(0)),
                line.pairs() > 1
                        ? String.format(
                                Locale.ROOT,
                                "%.2f … %.2f in %d pairs",
                                line.paired().min(),
                                line.paired().max(),
                                line.pairs())
                        : "one pair");
    }
}
