// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Grid;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.ExpectedHits.Check;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of {@code simulate}.
 *
 * @param checks null if nothing was to be checked
 */
record SimulateReport(Settings settings, List<Cell> cells, List<Result> results, List<Check> checks) {
    static final String COMMAND = "simulate";

    private static final int MOST_COLUMNS = 10;

    private static final List<Column<Result>> COLUMNS = List.of(
            Column.<Result>setting("trace", result -> result.cell().play().trace()),
            Column.figure("traceName", result -> result.cell().play().name()),
            Column.figure("pages", result -> result.cell().play().workload().keys()),
            Column.contender("policy", result -> result.cell().policy()),
            Column.<Result>setting("frames", result -> result.cell().frames()).as("frames", "%,.0f"),
            Column.<Result>setting("threads", result -> result.cell().threads()),
            Column.<Result>setting(
                    "dirtyShare",
                    result -> result.cell().play().share(result.cell().dirtyShare())),
            Column.figure("warmupReferences", result -> result.cell().play().warmupReferences()),
            Column.figure("references", Result::references).as("references", "%,.0f"),
            Column.figure("hits", Result::hits).as("hits", "%,.0f"),
            Column.figure("hitPercent", Result::hitPercent).as("hits %", "%.2f"),
            Column.figure("framesPercent", Result::framesPercent),
            Column.figure("sampleRate", Result::sampleRate),
            Column.figure("cpuSeconds", Result::cpuSeconds).as("CPU s", "%.2f").onlyInJson(),
            Column.figure("overTime", Result::overTime).onlyInJson(),
            Column.figure("framesInspectedPerMiss", Result::framesScannedPerMiss)
                    .as("scanned/miss", "%.2f"),
            Column.figure("writes", Result::writes),
            Column.figure("readStalls", Result::readStalls),
            Column.figure("readStallPercent", Result::readStallPercent));

    Report report() {
        List<Grid> tables = tables();
        Results<Result> all = Results.notCompared(COLUMNS, results);
        String lead = Figures.counted(results.size(), "simulations") + ", "
                + Figures.counted(settings.traces().size(), "traces");
        Report report = new Report(
                        COMMAND,
                        "Hits of replacement policies, simulated",
                        lead,
                        note(),
                        Environment.here(List.of()),
                        options())
                .add("traces", plays().stream().map(Play::json).toList())
                .results("results", all)
                .add("checks", checks)
                .chart(Chart.lines("Hit ratio by frames", "frames", "hitPercent", "hits, %", "trace", "threads"))
                .text(tables.stream().map(Grid::toString).collect(Collectors.joining(System.lineSeparator())));
        if (settings.parts() > 0) {
            report.chart(Chart.overReferences("Hit ratio over time", "hits, %", "hitPercent"));
        }
        for (int i = tables.size() - 1; i >= 0; i--) {
            report.table(tables.get(i));
        }
        return report;
    }

    private List<Play> plays() {
        return cells.stream().map(Cell::play).distinct().toList();
    }

    /** The options in force: those that the expected hits gave are filled in. */
    private Map<String, Object> options() {
        Map<String, Object> options = settings.asOptions();
        options.put("policies", cells.stream().map(Cell::policy).distinct().toList());
        if (settings.frames() == null) {
            options.put("frames", cells.stream().map(Cell::frames).distinct().toList());
        }
        return options;
    }

    /** The limits of the figures, for the reader. */
    private String note() {
        String note = "A hit is a reference that finds its page in a frame. One thread simulates all"
                + (settings.haveWrites()
                        ? ". " + settings.cleaningInWords() + " The optimum ignores dirt."
                        : "; no page is ever dirty.");
        if (cells.stream().anyMatch(cell -> cell.play().sample() != null)) {
            note += " Hits are estimated from a sample of the pages, where a trace has more than "
                    + Figures.of("%,d", settings.samplePages()) + ".";
        }
        return settings.threads().stream().anyMatch(n -> n > 1)
                ? note + " Threads take turns of " + settings.interleave() + " references each."
                : note;
    }

    /** Whether every line that was to be checked holds, and there was one. */
    boolean holds() {
        return checks == null
                || (checks.stream().noneMatch(Check::fails) && checks.stream().anyMatch(Check::isJudged));
    }

    private record Subject(Play play, int threads, DirtyShare dirtyShare) {}

    /**
     * A table for each trace, number of threads and dirty share: a row for each policy, a column for each number of
     * frames.
     */
    private List<Grid> tables() {
        Map<Subject, List<Result>> subjects = new LinkedHashMap<>();
        for (Result result : results) {
            Subject subject = new Subject(
                    result.cell().play(), result.cell().threads(), result.cell().dirtyShare());
            subjects.computeIfAbsent(subject, absent -> new ArrayList<>()).add(result);
        }
        List<Grid> tables = new ArrayList<>();
        subjects.forEach((subject, own) -> tables.add(table(subject, own)));
        return tables;
    }

    private static String title(Subject subject) {
        Play play = subject.play();
        String warmup = play.warmupReferences() == 0
                ? ""
                : String.format(Locale.ROOT, " after %,d of warm-up", play.warmupReferences());
        return String.format(
                Locale.ROOT,
                "%s, hits in percent of %,d references%s to %,d pages%s%s%s:",
                play.name(),
                play.references(),
                warmup,
                play.workload().keys(),
                play.sample() == null
                        ? ""
                        : Figures.of(
                                ", estimated from %,d of them", play.sample().pages()),
                subject.threads() == 1 ? "" : ", " + subject.threads() + " threads",
                dirt(subject));
    }

    private static String dirt(Subject subject) {
        DirtyShare share = subject.dirtyShare();
        if (share.isNone()) {
            return "";
        }
        String percent =
                share.isOfTrace() ? Figures.of("%.2f", 100 * subject.play().share(share)) : share.toString();
        return ", " + percent + " % make their page dirty";
    }

    /** A row for each policy; or for each number of frames, if more than fit on a line. */
    private Grid table(Subject subject, List<Result> results) {
        List<Integer> frames = results.stream()
                .map(result -> result.cell().frames())
                .distinct()
                .toList();
        List<String> policies = results.stream()
                .map(result -> result.cell().policy())
                .distinct()
                .toList();
        List<String> sizes = frames.stream()
                .map(count -> share(count, subject.play()) + Figures.of("%,d", count))
                .toList();
        boolean bySize = frames.size() > MOST_COLUMNS;
        List<String> head = new ArrayList<>(List.of(bySize ? "frames" : "policy"));
        head.addAll(bySize ? policies : sizes);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < (bySize ? frames : policies).size(); i++) {
            List<Object> row = new ArrayList<>(List.of((bySize ? sizes : policies).get(i)));
            for (int j = 0; j < head.size() - 1; j++) {
                row.add(percent(results, policies.get(bySize ? j : i), frames.get(bySize ? i : j)));
            }
            rows.add(row);
        }
        return new Grid("Hits: " + subject.play().name(), title(subject), head, rows);
    }

    /** {@code 5% = } of a number of frames that was typed as a share; empty of another. */
    private String share(int count, Play play) {
        return settings.frames() == null
                ? ""
                : settings.frames().stream()
                        .filter(typed -> typed.count() == null
                                && typed.of(play.workload().keys()) == count)
                        .map(typed -> typed + " = ")
                        .findFirst()
                        .orElse("");
    }

    private static String percent(List<Result> results, String policy, int frames) {
        return results.stream()
                .filter(result ->
                        result.cell().policy().equals(policy) && result.cell().frames() == frames)
                .map(result -> Figures.of("%.2f", result.hitPercent()))
                .findFirst()
                .orElse(Figures.NOT_MEASURED);
    }

    /** A sentence for each line that does not hold or is not judged, and how many hold. */
    String conclusion(ExpectedHits expected, List<String> traces) {
        List<String> lines = new ArrayList<>();
        checks.stream()
                .filter(check -> check.fails() || !check.isJudged())
                .map(Check::toString)
                .forEach(lines::add);
        List<String> unknown = expected.unknownPolicies(traces);
        if (!unknown.isEmpty()) {
            lines.add("Not simulated, because the workbench has no such policy: " + String.join(", ", unknown) + ".");
        }
        long failed = checks.stream().filter(Check::fails).count();
        long judged = checks.stream().filter(Check::isJudged).count();
        lines.add(
                judged == 0
                        ? "Nothing was checked: no line of " + expected.file()
                                + " that is judged is about these results."
                        : judged - failed + " of " + judged + " lines of " + expected.file() + " hold"
                                + (failed == 0 ? "." : "; " + failed + " do not, see above."));
        return String.join(System.lineSeparator(), lines);
    }
}
