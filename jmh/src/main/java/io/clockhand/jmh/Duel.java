// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.clockhand.duel.Bootstrap;
import io.clockhand.duel.Contender;
import io.clockhand.duel.ContenderFailure;
import io.clockhand.duel.DuelResult;
import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.Referee;
import io.clockhand.duel.Rounds;
import io.clockhand.jmh.duel.BenchmarkJars;
import io.clockhand.jmh.duel.Choice;
import io.clockhand.jmh.duel.JmhContender;
import io.clockhand.jmh.duel.Machine;
import io.clockhand.jmh.duel.ProgressLines;
import io.clockhand.jmh.duel.RatioChart;
import io.clockhand.jmh.duel.TrialsSummary;
import io.clockhand.jmh.duel.WorkingDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Compares values of a benchmark's parameter, or sets of jars, by letting their JVMs run in turn.
 *
 * <p>On a noisy machine two runs, one after the other, differ up to threefold. Contenders that live at once, and run in
 * turn for a fraction of a second each, are disturbed alike.
 */
@Command(
        name = "Duel",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares values of a benchmark's parameter (--between), or sets of jars (--jars).",
            "The JVMs of all contenders live at once and run in turn, a fraction of a second each."
        })
public final class Duel implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "BENCHMARK", description = "Regular expression that finds one benchmark, as in JMH.")
    private String expression;

    @Option(names = "-p", paramLabel = "NAME=VALUE", description = "A parameter that is the same for all contenders.")
    private Map<String, String> fixed = new LinkedHashMap<>();

    @Option(
            names = "--between",
            paramLabel = "NAME=VALUE,VALUE…",
            description = "A parameter and its values, one for each contender; the same value twice is a control.")
    private String between;

    @Option(
            names = "--jars",
            split = ",",
            paramLabel = "NAME=JAR",
            description = "Contenders that differ in their jars; several jars of one as on a class path.")
    private Map<String, String> jars = new LinkedHashMap<>();

    @Option(names = "--against", paramLabel = "NAME", description = "Relate ratios to this one; default: the first.")
    private String against;

    @Option(names = "-t", paramLabel = "N", description = "Threads; default: the benchmark's own number.")
    private int threads;

    @Option(
            names = "--slice",
            paramLabel = "S",
            defaultValue = "0.05",
            description = "Seconds for which a contender runs before the next; default: ${DEFAULT-VALUE}.")
    private double slice;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "36",
            description = "Each contender's own running time that counts; default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            defaultValue = "2",
            description = "Own running time of each JVM before that; default: ${DEFAULT-VALUE}.")
    private double warmup;

    @Option(
            names = "--jvms",
            paramLabel = "N",
            defaultValue = "24",
            description = "JVMs of each contender, which share its time; default: ${DEFAULT-VALUE}.")
    private int jvms;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of order and bootstrap.")
    private long seed;

    @Option(
            names = "--jvm-args",
            paramLabel = "ARGS",
            description = "Arguments of the contenders' JVMs in place of the benchmark's own, separated by blanks.")
    private String jvmArgs;

    @Option(
            names = "--trials",
            paramLabel = "N",
            defaultValue = "1",
            description = "Repeats the whole duel, with the next seed each time, to show what the method can tell.")
    private int trials;

    @Option(
            names = "--slow",
            paramLabel = "NAME=15%",
            description = "Slows a contender: this share of its operations does not count.")
    private Map<String, String> slow = new LinkedHashMap<>();

    @Option(names = "--one-after-another", description = "Without turns, to show the difference that they make.")
    private boolean oneAfterAnother;

    @Option(names = "--out", paramLabel = "FILE", description = "Writes options and results as JSON.")
    private Path out;

    @Option(names = "--chart", paramLabel = "FILE.png", description = "Draws the ratios; of several trials, the last.")
    private Path chart;

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Returns the exit code: 0, 1 if a contender failed, 2 for wrong usage. */
    static int run(String... args) {
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Duel())
                .setParameterExceptionHandler((failure, arguments) -> tell(failure.getCommandLine(), failure, USAGE))
                .setExecutionExceptionHandler((failure, command, parsed) ->
                        tell(command, failure, failure instanceof Choice.WrongName ? USAGE : FAILED));
    }

    private static int tell(CommandLine command, Exception failure, int code) {
        PrintWriter err = command.getErr();
        boolean isSentence = failure instanceof ParameterException
                || failure instanceof Choice.WrongName
                || failure instanceof ContenderFailure;
        err.println("Duel: " + (isSentence ? failure.getMessage() : failure.toString()));
        err.flush();
        return code;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (WorkingDirectory directory = WorkingDirectory.create()) {
            DuelSettings settings = settings(seed);
            List<JmhContender> contenders = contenders(settings, directory.path());
            List<String> names = contenders.stream().map(JmhContender::name).toList();
            requireName("--against", names, against == null ? names.get(0) : against);
            settings.slowed().keySet().forEach(name -> requireName("--slow", names, name));
            List<Trial> results = new ArrayList<>();
            try {
                for (int trial = 0; trial < trials; trial++) {
                    results.add(duel(contenders, settings(seed + trial), trial));
                    write(results, contenders);
                    draw(results.get(trial).result());
                }
            } catch (ContenderFailure failure) {
                directory.keep();
                throw explained(failure, contenders);
            }
            if (trials > 1) {
                print(TrialsSummary.of(results.stream().map(Trial::result).toList()));
            }
            return 0;
        }
    }

    /** The result, and the slices that it was computed from. */
    private record Trial(DuelResult result, Rounds slices) {}

    private Trial duel(List<JmhContender> contenders, DuelSettings settings, int trial)
            throws IOException, InterruptedException {
        String label = trials == 1 ? "Duel" : "Duel " + (trial + 1) + " of " + trials;
        Rounds rounds = Referee.run(
                new ArrayList<Contender>(contenders),
                settings,
                new ProgressLines(label, spec.commandLine().getErr()));
        DuelResult result =
                Bootstrap.evaluate(rounds, against == null ? contenders.get(0).name() : against, settings.seed());
        print(result.table());
        return new Trial(result, rounds);
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }

    private DuelSettings settings(long ofTrial) {
        require(slice >= 0.001 && slice <= 60, "--slice must lie in 0.001 … 60 seconds");
        require(
                seconds >= slice * jvms && seconds <= 86_400,
                "--seconds must give each JVM a slice, and be a day at most");
        require(warmup >= 0 && warmup <= 3600, "--warmup must lie in 0 … 3600 seconds");
        require(jvms >= 1 && jvms <= 100, "--jvms must lie in 1 … 100");
        require(chart == null || chart.toString().endsWith(".png"), "--chart must name a file that ends with .png");
        require(trials >= 1 && trials <= 1000, "--trials must lie in 1 … 1000");
        require(threads >= 0 && threads <= 1000, "-t must lie in 1 … 1000");
        Map<String, Double> slowed = new LinkedHashMap<>();
        slow.forEach((name, share) -> slowed.put(name, share(share)));
        return new DuelSettings(
                duration(slice), duration(seconds), duration(warmup), jvms, ofTrial, slowed, !oneAfterAnother);
    }

    private double share(String text) {
        require(
                text.matches("[0-9]{1,2}(\\.[0-9]+)?%") && !text.matches("0+(\\.0+)?%"),
                "--slow takes a share such as NAME=15%, not " + text);
        return Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * NANOS_PER_SECOND));
    }

    private List<JmhContender> contenders(DuelSettings settings, Path directory) throws IOException {
        require(between != null || !jars.isEmpty(), "nothing to compare: name --between or --jars");
        require(between == null || jars.isEmpty(), "--between and --jars exclude each other");
        int iterations = settings.warmUpRounds() + settings.rounds();
        List<String> arguments =
                jvmArgs == null ? null : List.of(jvmArgs.strip().split("\\s+"));
        List<JmhContender> contenders = new ArrayList<>();
        for (Map.Entry<String, Variant> named : variants().entrySet()) {
            Variant variant = named.getValue();
            BenchmarkListEntry benchmark = Choice.benchmark(variant.jars(), expression);
            contenders.add(new JmhContender(
                    named.getKey(),
                    variant.jars(),
                    benchmark,
                    Choice.parameters(benchmark, variant.parameters()),
                    threads,
                    settings.slice().toNanos(),
                    iterations,
                    arguments,
                    directory));
        }
        require(contenders.size() >= 2, "a duel needs two contenders");
        return contenders;
    }

    /** The jars and parameters of one contender. */
    private record Variant(BenchmarkJars jars, Map<String, String> parameters) {}

    private Map<String, Variant> variants() {
        Map<String, Variant> variants = new LinkedHashMap<>();
        jars.forEach((name, classPath) -> {
            BenchmarkJars set = new BenchmarkJars(classPath);
            for (Path path : set.paths()) {
                require(Files.exists(path), "--jars: there is no " + path);
            }
            variants.put(name, new Variant(set, fixed));
        });
        if (between != null) {
            String[] parts = between.split("=", 2);
            require(parts.length == 2 && !parts[0].isBlank(), "--between takes NAME=VALUE,VALUE…, not " + between);
            require(!fixed.containsKey(parts[0]), "-p and --between both name " + parts[0]);
            for (String value : parts[1].split(",", -1)) {
                require(!value.isBlank(), "--between: a value is missing in " + between);
                Map<String, String> parameters = new LinkedHashMap<>(fixed);
                parameters.put(parts[0], value);
                variants.put(unused(value, variants), new Variant(BenchmarkJars.here(), parameters));
            }
        }
        return variants;
    }

    private static String unused(String value, Map<String, Variant> variants) {
        String name = value;
        for (int i = 2; variants.containsKey(name); i++) {
            name = value + "#" + i;
        }
        return name;
    }

    private void requireName(String option, List<String> names, String name) {
        require(names.contains(name), option + ": no contender '" + name + "'; possible: " + String.join(", ", names));
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    /** A value that the benchmark does not list is the likely cause, if there is one. */
    private RuntimeException explained(ContenderFailure failure, List<JmhContender> contenders) {
        String unlisted = Choice.unlisted(
                contenders.get(0).benchmark(),
                contenders.stream().map(JmhContender::parameters).toList());
        return unlisted.isEmpty()
                ? failure
                : new ParameterException(spec.commandLine(), failure.getMessage() + "; " + unlisted);
    }

    private void write(List<Trial> results, List<JmhContender> contenders) throws IOException {
        if (out == null) {
            return;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("command", "duel");
        report.put("environment", Machine.here(contenders.get(0).jvmFlags()));
        report.put("options", options(contenders));
        report.put("trials", results);
        Files.createDirectories(out.toAbsolutePath().getParent());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(out.toFile(), report);
    }

    private void draw(DuelResult result) throws IOException {
        if (chart != null) {
            String fixedValues = fixed.isEmpty() ? "" : " " + fixed;
            RatioChart.write(result, expression + fixedValues + (threads == 0 ? "" : ", threads: " + threads), chart);
        }
    }

    private Map<String, Object> options(List<JmhContender> contenders) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("benchmark", contenders.get(0).benchmark().getUsername());
        options.put("parameters", fixed);
        options.put("between", between);
        options.put("jars", jars);
        options.put("against", against);
        options.put("threads", threads == 0 ? null : threads);
        options.put("sliceSeconds", slice);
        options.put("seconds", seconds);
        options.put("warmupSeconds", warmup);
        options.put("jvms", jvms);
        options.put("seed", seed);
        options.put("slow", slow);
        options.put("trials", trials);
        options.put("oneAfterAnother", oneAfterAnother);
        return options;
    }
}
