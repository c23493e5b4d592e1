// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.options.OptionValues;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Grid;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.ExpectedHits.Check;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of {@code simulate}.
 *
 * @param expected null if nothing was to be checked
 */
record SimulateReport(Settings settings, ExpectedHits expected, List<Play> plays, List<Result> results) {
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
            Column.figure(
                    "framesPercent",
                    result -> 100.0
                            * result.cell().frames()
                            / result.cell().play().workload().keys()),
            Column.figure("sampleRate", Result::sampleRate),
            Column.figure("cpuSeconds", Result::cpuSeconds).as("CPU s", "%.2f").onlyInJson(),
            Column.figure("overTime", Result::overTime).onlyInJson(),
            Column.figure("framesInspectedPerMiss", Result::framesScannedPerMiss)
                    .as("scanned/miss", "%.2f"),
            Column.figure(
                    "writes",
                    result -> result.counts() == null ? null : result.counts().writes()),
            Column.figure(
                    "readStalls",
                    result -> result.counts() == null ? null : result.counts().readStalls()),
            Column.figure("readStallPercent", Result::readStallPercent));

    Report report() {
        List<Grid> tables = new ArrayList<>(results.stream()
                .collect(Collectors.groupingBy(
                        result -> List.of(
                                result.cell().play(),
                                result.cell().threads(),
                                result.cell().dirtyShare()),
                        LinkedHashMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), this::table)))
                .values());
        Report report = new Report(
                        COMMAND,
                        "Hits of replacement policies, simulated",
                        Figures.counted(results.size(), "simulations") + ", " + Figures.counted(plays.size(), "traces"),
                        note(),
                        Environment.here(List.of()),
                        options())
                .add("traces", simulated(Cell::play).map(Play::json).toList())
                .results("results", Results.notCompared(COLUMNS, results))
                .add("checks", checks())
                .chart(Chart.lines("Hit ratio by frames", "frames", "hitPercent", "hits, %", "trace", "threads"))
                .text(tables.stream().map(Grid::toString).collect(Collectors.joining(System.lineSeparator())));
        if (settings.parts > 1) {
            report.chart(Chart.overReferences("Hit ratio over time", "hits, %", "hitPercent"));
        }
        Collections.reverse(tables);
        tables.forEach(report::table);
        return report;
    }

    private <T> Stream<T> simulated(Function<Cell, T> part) {
        return results.stream().map(Result::cell).map(part).distinct();
    }

    /** The options in force: those that the expected hits gave are filled in. */
    private Map<String, Object> options() {
        Map<String, Object> options = OptionValues.of(settings);
        options.put("policies", simulated(Cell::policy).toList());
        if (settings.frames == null) {
            options.put("frames", simulated(Cell::frames).toList());
        }
        return options;
    }

    /** The limits of the figures, for the reader. */
    private String note() {
        String note = "A hit is a reference that finds its page in a frame. One thread simulates all"
                + (settings.haveWrites()
                        ? ". " + settings.cleaningInWords() + " The optimum ignores dirt."
                        : "; no page is ever dirty.");
        if (simulated(Cell::play).anyMatch(play -> play.sample() != null)) {
            note += " Hits are estimated from a sample of the pages, where a trace has more than "
                    + Figures.of("%,d", settings.samplePages) + ".";
        }
        return settings.threads.most() > 1 ? note + " Threads take turns of 16 references each." : note;
    }

    private List<Check> checks() {
        return expected == null ? null : expected.checks(results);
    }

    /** Whether every line that was to be checked holds, and there was one. */
    boolean holds() {
        return expected == null
                || (checks().stream().noneMatch(Check::fails)
                        && checks().stream().anyMatch(check -> check.line().isJudged()));
    }

    /**
     * The results of a trace, number of threads and dirty share: a row for each policy, a column for each number of
     * frames; the other way round if those are more than fit on a line.
     */
    private Grid table(List<Result> own) {
        Play play = own.get(0).cell().play();
        Map<Integer, String> sizes = settings.frames == null ? Map.of() : settings.sizes(play);
        Function<Result, String> policy = result -> result.cell().policy();
        Function<Result, String> size = result -> sizes.getOrDefault(
                result.cell().frames(), Figures.of("%,d", result.cell().frames()));
        boolean bySize = own.stream().map(size).distinct().count() > MOST_COLUMNS;
        Map<String, List<Object>> rows = new LinkedHashMap<>();
        for (Result result : own) {
            rows.computeIfAbsent((bySize ? size : policy).apply(result), label -> new ArrayList<>(List.of(label)))
                    .add(Figures.of("%.2f", result.hitPercent()));
        }
        Stream<String> columns = own.stream().map(bySize ? policy : size).distinct();
        return new Grid(
                "Hits: " + play.name(),
                title(own.get(0).cell()),
                Stream.concat(Stream.of(bySize ? "frames" : "policy"), columns).toList(),
                List.copyOf(rows.values()));
    }

    private static String title(Cell cell) {
        Play play = cell.play();
        return String.format(
                Locale.ROOT,
                "%s%s%s, hits in percent of %,d references to %,d pages%s:",
                play.name(),
                cell.threads() == 1 ? "" : ", " + cell.threads() + " threads",
                cell.isClean() ? "" : ", dirty share " + cell.dirtyShare(),
                play.references(),
                play.workload().keys(),
                play.sample() == null ? "" : ", estimated from " + play.sample().pages() + " of them");
    }

    /** A sentence for each line that does not hold or is not judged, and how many hold. */
    String conclusion() {
        if (expected == null) {
            return "";
        }
        List<String> lines = new ArrayList<>();
        List<Check> judged =
                checks().stream().filter(check -> check.line().isJudged()).toList();
        checks().stream()
                .filter(check -> check.fails() || !check.line().isJudged())
                .map(Check::toString)
                .forEach(lines::add);
        List<String> unknown =
                expected.unknownPolicies(plays.stream().map(Play::name).toList());
        if (!unknown.isEmpty()) {
            lines.add("Not simulated, because the workbench has no such policy: " + String.join(", ", unknown) + ".");
        }
        long failed = judged.stream().filter(Check::fails).count();
        lines.add(
                judged.isEmpty()
                        ? "Nothing was checked: no line of " + expected.file()
                                + " that is judged is about these results."
                        : judged.size() - failed + " of " + judged.size() + " lines of " + expected.file() + " hold"
                                + (failed == 0 ? "." : "; " + failed + " do not, see above."));
        return String.join(System.lineSeparator(), lines);
    }
}
