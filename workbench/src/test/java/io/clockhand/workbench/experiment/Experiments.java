// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.duel.Rounds;
import io.clockhand.workbench.Tier;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Played;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.experiment.report.Turns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Experiments as a command line starts them, and their reports of made-up runs. */
public final class Experiments {
    private Experiments() {}

    /** What a whole command has left and said. */
    public record Output(JsonNode json, String out, String err) {
        public JsonNode runs() {
            return json.get("runs");
        }

        /** The values of a field of all runs. */
        public List<String> runs(String field) {
            List<String> values = new ArrayList<>();
            runs().forEach(run -> values.add(run.get(field).asText()));
            return values;
        }
    }

    /** Checks values of an entry of JSON, such as {@code writes=200 valid=true hand=null}. */
    public static void assertFields(JsonNode entry, String expected) {
        assertThat(Stream.of(expected.split(" (?=\\w+=)", -1))
                        .map(field -> field.substring(0, field.indexOf('=')))
                        .map(name -> name + "=" + entry.path(name).asText())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }

    /** Checks that an entry of JSON has a number in each of these fields. */
    public static void assertNumbers(JsonNode entry, String... fields) {
        assertThat(fields)
                .allSatisfy(field -> assertThat(entry.path(field).isNumber()).isTrue());
    }

    /** The names of the fields of an entry of JSON, with a space between them. */
    public static String names(JsonNode entry) {
        List<String> names = new ArrayList<>();
        entry.fieldNames().forEachRemaining(names::add);
        return String.join(" ", names);
    }

    /** Sets the options of an experiment, and has it check them. */
    public static <E extends Experiment<?, ?, ?>> E parse(E experiment, String line) {
        CommandLine command = EnumNames.register(new CommandLine(experiment));
        command.parseArgs(line.isBlank() ? new String[0] : line.strip().split(" +", -1));
        experiment.check(new Usage(command.getCommandSpec()));
        return experiment;
    }

    /** Runs an experiment whose every check must hold, and which must leave its three files and nothing else. */
    public static Output run(Experiment<?, ?, ?> experiment, String line, Path directory) throws IOException {
        return run(parse(experiment, line + " --out " + directory));
    }

    /** Runs a parsed experiment whose every check must hold, and which must leave its three files and nothing else. */
    public static Output run(Experiment<?, ?, ?> parsed) throws IOException {
        Output output = run(parsed, true);
        String name = parsed.name();
        try (Stream<Path> left = Files.list(parsed.out())) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(name + ".json", name + ".csv", name + ".html");
        }
        return output;
    }

    /** Runs a parsed experiment of which a check must not hold. */
    public static Output runThatFails(Experiment<?, ?, ?> parsed) throws IOException {
        return run(parsed, false);
    }

    private static Output run(Experiment<?, ?, ?> parsed, boolean good) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        boolean isGood = new Runner<>(
                        parsed,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Tier.CHILD_FLAGS)
                .run();
        assertThat(isGood).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(good);
        return new Output(
                new ObjectMapper()
                        .readTree(parsed.out().resolve(parsed.name() + ".json").toFile()),
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8));
    }

    public static <S, C, A extends Answer> boolean isValid(Experiment<S, C, A> experiment, Run<S, C, A> run) {
        return experiment.isValid(run);
    }

    public static Map<String, Object> options(Experiment<?, ?, ?> experiment) {
        return experiment.options();
    }

    public static String baseline(Experiment<?, ?, ?> experiment) {
        return experiment.baseline();
    }

    public static <S, C> List<List<Cell<S, C>>> plan(Experiment<S, C, ?> experiment) {
        return experiment.plan();
    }

    /** A duel of two rounds in which contenders do as many operations a second. */
    public static <S, C, A extends Answer> List<Run<S, C, A>> duel(
            List<Cell<S, C>> cells, A timed, Function<C, A> counted, long... operations) {
        Rounds rounds = Played.inTurns(cells.stream().map(Cell::name).toList(), operations);
        return cells.stream()
                .map(cell -> new Run<>(cell, timed, new Turns(rounds, cell.name()), counted.apply(cell.contender())))
                .toList();
    }

    public static <S, C, A extends Answer> Report report(Experiment<S, C, A> experiment, List<Run<S, C, A>> runs) {
        return experiment.report(runs, List.of());
    }

    public static <S, C, A extends Answer> JsonNode json(Experiment<S, C, A> experiment, List<Run<S, C, A>> runs)
            throws IOException {
        return new ObjectMapper().readTree(report(experiment, runs).json());
    }

    /** Lines of the results, compared with the baseline of the options. */
    public static <S, C, A extends Answer> List<Results.Line<Run<S, C, A>>> lines(
            Experiment<S, C, A> experiment, List<Run<S, C, A>> runs) {
        return experiment.results(runs).lines();
    }

    public static <S, C, A extends Answer> Stream<String> conclusion(
            Experiment<S, C, A> experiment, List<Run<S, C, A>> runs, int cores, boolean good) {
        return experiment.conclusion(runs, cores, good).lines();
    }
}
