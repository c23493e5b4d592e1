// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.figures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.options.CommonOptions;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.OptionValues;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Grid;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.figures.PublishedFigure.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code figures}: figures and tables of papers, measured by the other commands. */
@Command(
        name = "figures",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Repeats published figures and tables, each by another command of the workbench, and writes one page with \
            the papers' values beside those of this machine. Without a name it lists them.""",
        footer = """
            The results of each command lie in a directory of --out that has the name of the figure. Figures that need \
            the same run share it.""")
public final class FiguresCommand implements Callable<Integer> {
    private final Supplier<CommandLine> workbench;
    private final Supplier<List<PublishedFigure>> known;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "The figures to repeat; see the list.")
    private List<String> names = List.of();

    @Option(names = "--all", description = "Repeats all of them.")
    private boolean all;

    @Option(names = "--quick", description = "Runs short versions, which show little but that all works.")
    private boolean quick;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Spec
    private CommandSpec spec;

    /** How a command ended, and its report; a missing node if there is none. */
    private record Outcome(boolean isGood, JsonNode report) {}

    /**
     * A figure with its values.
     *
     * @param isGood whether its command ended well, and reported a value of it
     */
    private record Measured(PublishedFigure figure, List<Point> points, boolean isGood) {
        List<Point> drawn() {
            return points.stream().filter(point -> !point.isMissing()).toList();
        }

        /** The points that the report lacks, in words; empty if there are none. */
        String missing() {
            List<String> missing = points.stream()
                    .filter(Point::isMissing)
                    .map(point -> point.label() + (point.x() == null ? "" : " at " + point.x()))
                    .distinct()
                    .toList();
            return missing.isEmpty() ? "" : " Not measured, so not drawn: " + String.join("; ", missing) + ".";
        }
    }

    /**
     * Makes the command.
     *
     * @param workbench makes the command line that performs the commands of figures, anew for each: a command leaves
     *     values in its fields
     */
    public FiguresCommand(Supplier<CommandLine> workbench) {
        this(workbench, PublishedFigure::all);
    }

    FiguresCommand(Supplier<CommandLine> workbench, Supplier<List<PublishedFigure>> known) {
        this.workbench = workbench;
        this.known = known;
    }

    @Override
    public Integer call() {
        List<PublishedFigure> chosen = chosen(new Usage(spec));
        if (chosen.isEmpty()) {
            System.out.print(list());
            System.out.println("Times are those of two cores. To repeat some: workbench figures NAME …, or --all.");
            return 0;
        }
        Report.requireWritable(common.out(), spec.name());
        List<Measured> measured = measure(chosen);
        boolean good = measured.stream().allMatch(Measured::isGood);
        report(measured)
                .publish(
                        common.out(),
                        System.out,
                        good ? "Every command ended well." : "Not every command ended well, see above.");
        return good ? 0 : 1;
    }

    private List<PublishedFigure> chosen(Usage usage) {
        usage.require(!all || names.isEmpty(), "--all has every figure; names exclude it");
        usage.requireOnce("the command", "a figure", names);
        List<String> possible = known.get().stream().map(PublishedFigure::name).toList();
        names.stream().filter(name -> !possible.contains(name)).findFirst().ifPresent(name -> {
            throw usage.wrong(Names.unknown("figure", name, possible));
        });
        return known.get().stream()
                .filter(figure -> all || names.contains(figure.name()))
                .toList();
    }

    private String list() {
        return known.get().stream()
                .map(figure -> String.format(
                        Locale.ROOT,
                        "%-26s  %2d min  %s: %s%n",
                        figure.name(),
                        figure.minutes(),
                        figure.source(),
                        figure.title()))
                .collect(Collectors.joining());
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    private List<Measured> measure(List<PublishedFigure> chosen) {
        Map<List<String>, Outcome> outcomes = new HashMap<>();
        List<Measured> measured = new ArrayList<>();
        for (PublishedFigure figure : chosen) {
            List<String> words = figure.arguments(quick);
            System.err.println("Figure " + (measured.size() + 1) + " of " + chosen.size() + ", " + figure.name()
                    + (quick ? "" : ", about " + Figures.counted(figure.minutes(), "minutes")) + ": workbench "
                    + String.join(" ", words));
            Outcome outcome = outcomes.computeIfAbsent(words, absent -> run(figure.name(), words));
            if (!outcome.isGood()) {
                System.err.println("Failed: " + figure.name() + ": see above.");
            }
            List<Point> points = figure.points(outcome.report());
            boolean hasValue = points.stream().anyMatch(point -> !point.isPaper() && !point.isMissing());
            if (outcome.isGood() && !hasValue) {
                System.err.println("Failed: " + figure.name() + ": the report of its command has no value of it");
            }
            measured.add(new Measured(figure, points, outcome.isGood() && hasValue));
        }
        return measured;
    }

    /** Performs a command of the workbench in this JVM. */
    private Outcome run(String figure, List<String> words) {
        Path directory = common.out().resolve(figure);
        Path json = directory.resolve(words.get(0) + ".json");
        List<String> arguments = new ArrayList<>(words);
        arguments.addAll(List.of("--seed", Long.toString(common.seed()), "--out", directory.toString()));
        try {
            Files.deleteIfExists(json);
            int code = workbench.get().execute(arguments.toArray(String[]::new));
            return new Outcome(
                    code == 0,
                    Files.exists(json) ? new ObjectMapper().readTree(json.toFile()) : MissingNode.getInstance());
        } catch (IOException e) {
            throw new CommandFailure("cannot read or replace " + json + ": " + e.getMessage(), e);
        }
    }

    // --- the report --------------------------------------------------------------------------------------------------

    private Report report(List<Measured> measured) {
        List<Point> points = measured.stream()
                .flatMap(each -> each.points().stream())
                .filter(point -> point.x() != null)
                .toList();
        List<Column<Point>> columns = new ArrayList<>(List.of(
                Column.contender("line", Point::label),
                Column.<Point>figure("figure", Point::figure).as("figure", "%s"),
                Column.<Point>figure("source", point -> point.isPaper() ? "paper" : "here"),
                Column.<Point>figure("at", Point::x).as("at", "%s"),
                Column.<Point>figure("value", Point::value).as("value", "%.4g")));
        Map<String, Object> options = OptionValues.of(spec);
        options.put("names", measured.stream().map(each -> each.figure().name()).toList());
        Report report = new Report(
                spec.name(),
                "Published figures, repeated",
                Figures.counted(measured.size(), "figures") + (quick ? ", in short versions" : ""),
                "The papers' values are those that their text or tables state, or that can be read off their figures; a"
                        + " line without points has none here, or the paper has none to read. Two cores show what an"
                        + " operation costs and which threads wait; they cannot show how anything scales.",
                Environment.here(List.of()),
                options);
        for (Measured each : measured) {
            PublishedFigure figure = each.figure();
            // Each figure has a field of its own, in which points of other figures have nothing.
            columns.add(
                    Column.figure(figure.name(), point -> point.figure().equals(figure.name()) ? point.value() : null));
            report.added(table(each)).chart(chart(each));
        }
        measured.stream()
                .map(each -> each.figure().x())
                .distinct()
                .forEach(x -> columns.add(Column.figure(x, Point::x)));
        report.add("figures", measured.stream().map(this::json).toList());
        return report.results("points", Results.notCompared(columns, points));
    }

    private static Chart chart(Measured measured) {
        PublishedFigure figure = measured.figure();
        List<Object> xs = xs(measured.drawn());
        boolean isLine = xs.size() > 1 && xs.stream().allMatch(Number.class::isInstance);
        Chart chart = isLine
                ? Chart.lines(figure.title(), figure.x(), figure.name(), figure.unit(), "figure")
                : Chart.bars(figure.title(), figure.x(), figure.name(), figure.unit(), "figure");
        return figure.logarithmic() ? chart.logarithmic() : chart;
    }

    /** A row for each line, those of the paper below those of this machine. */
    private static Grid table(Measured measured) {
        PublishedFigure figure = measured.figure();
        List<Object> xs = xs(measured.drawn());
        List<String> head = new ArrayList<>(List.of(figure.unit() + ", by " + figure.x()));
        xs.forEach(x -> head.add(String.valueOf(x)));
        Map<String, List<Object>> rows = new LinkedHashMap<>();
        for (Point point : measured.drawn()) {
            List<Object> row = rows.computeIfAbsent(
                    point.label(),
                    label -> new ArrayList<>(
                            Stream.concat(Stream.of(label), xs.stream().map(x -> Figures.NOT_MEASURED))
                                    .toList()));
            row.set(1 + xs.indexOf(point.x()), brief(point.value()));
        }
        return new Grid(
                figure.source() + ": " + figure.title(),
                String.join(" ", figure.shows())
                        + measured.missing()
                        + (measured.isGood() ? "" : " NOT ALL RUNS ENDED WELL."),
                head,
                List.copyOf(rows.values()));
    }

    /** With three digits. */
    private static String brief(Double value) {
        return Figures.of(value != null && Math.abs(value) < 100 ? "%.3g" : "%,.0f", value);
    }

    /** Where the lines have points: numbers in their order, texts as they came. */
    private static List<Object> xs(List<Point> points) {
        return points.stream()
                .map(Point::x)
                .distinct()
                .sorted(Comparator.comparingDouble(x -> x instanceof Number number ? number.doubleValue() : 0))
                .toList();
    }

    private Map<String, Object> json(Measured measured) {
        PublishedFigure figure = measured.figure();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", figure.name());
        fields.put("title", figure.title());
        fields.put("source", figure.source());
        fields.put("command", String.join(" ", figure.arguments(quick)));
        fields.put("unit", figure.unit());
        fields.put("shows", String.join(" ", figure.shows()));
        fields.put("good", measured.isGood());
        return fields;
    }
}
