// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.options.CommonOptions;
import io.clockhand.workbench.experiment.options.OptionValues;
import io.clockhand.workbench.experiment.options.RunTimes;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that compares contenders. A subclass has the options as fields and declares what its runs are and what its
 * report shows; {@link Runner} does the rest.
 *
 * @param <S> a setting: what compared contenders have in common; its text names it in messages and file names
 * @param <C> a contender; its text is its name in a duel
 * @param <A> the answer of a run
 */
public abstract class Experiment<S, C, A extends Answer> implements Callable<Integer> {
    private final Class<A> answerType;
    private final Outline outline;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RunTimes times;

    @Mixin
    private CommonOptions common = new CommonOptions();

    /**
     * The fixed texts of an experiment.
     *
     * @param title of the report
     * @param counts what counted runs count, in the plural, such as {@code locks and hits}; empty if there are none
     * @param good the last sentence if every run ended and every check held
     * @param bad the last sentence otherwise
     */
    public record Outline(String title, String counts, String good, String bad) {}

    /**
     * Makes an experiment.
     *
     * @param times with the defaults of the command
     */
    protected Experiment(Class<A> answerType, RunTimes times, Outline outline) {
        this.answerType = answerType;
        this.times = times;
        this.outline = outline;
    }

    @Override
    public Integer call() {
        check(usage());
        return new Runner<>(this, System.out, System.err, List.of()).run() ? 0 : 1;
    }

    // --- what is run -------------------------------------------------------------------------------------------------

    /** Refuses wrong options, and fills in the defaults that depend on others. */
    protected abstract void check(Usage usage);

    /** The cross product of the lists, in the order of the runs. */
    protected abstract List<S> settings();

    protected abstract List<C> contenders();

    /** How many threads of a child count operations in a duel. */
    protected abstract int counters(S setting);

    /** Whether throughput is measured, and not only counted. */
    protected boolean isTimed() {
        return times.isTimed();
    }

    /** Whether contenders take turns in a duel, or run one after the other. */
    protected boolean takesTurns(S setting) {
        return true;
    }

    /**
     * Prepares files and describes them; fails in one sentence if there is too little memory.
     *
     * @return the flags of every child JVM
     */
    protected abstract List<String> prepare(Workplace workplace);

    /** Performs runs that are no part of the plan, such as those that find the best parameter of a contender. */
    public interface Explorer<S, C, A> {
        /** Returns the answer; null if the run failed, which was reported. */
        A run(Cell<S, C> cell, Function<Launch<S, C>, Order<A>> order);
    }

    /** Performs runs that are needed before those of a setting. */
    protected void explore(S setting, Explorer<S, C, A> explorer) {}

    protected abstract Order<A> timedOrder(Launch<S, C> launch);

    /** Whether a run with statistics belongs to a run. */
    protected boolean isCounted(Run<S, C, A> run) {
        return !outline.counts().isEmpty();
    }

    /**
     * The order of a run with statistics.
     *
     * @param run with its timed answer if time is measured
     */
    protected Order<A> countedOrder(Launch<S, C> launch, Run<S, C, A> run) {
        throw new UnsupportedOperationException("nothing is counted");
    }

    /**
     * Makes the directory of a run.
     *
     * @param number among the contenders that live at once, from 1
     */
    protected Path home(Workplace workplace, int number) throws IOException {
        return Files.createTempDirectory(workplace.directory(), "contender-");
    }

    protected ChildJvm jvm(Launch<S, C> launch, List<String> flags, Path log) throws IOException {
        return new ChildJvm(
                RunChild.class.getName(), Installation.here().classPath(), flags, launch.home(), patience(), log);
    }

    /** How long a child may be silent before it counts as hung. */
    protected Duration patience() {
        return Duration.ofMinutes(2);
    }

    /** Releases what {@link #prepare} has taken. */
    protected void close() {}

    // --- what is reported --------------------------------------------------------------------------------------------

    protected String title() {
        return outline.title();
    }

    /** The columns of the report; some may depend on what was found. */
    protected abstract List<Column<Run<S, C, A>>> columns(List<Run<S, C, A>> runs);

    /** The limits of the figures, in sentences for the reader. */
    protected abstract List<String> notes(List<Run<S, C, A>> runs);

    /** Adds charts, and whatever else the report has besides its runs. */
    protected abstract void addTo(Report report, Results<Run<S, C, A>> results);

    /** One line below the title. */
    protected String lead() {
        return isTimed()
                ? times.seconds() + " s of own time measured after " + times.warmup() + " s of warm-up"
                : outline.counts() + " counted";
    }

    /** The figure by which contenders are compared. */
    protected String rate() {
        return "operationsPerSecond";
    }

    /** The plural of what is timed. */
    protected String operations() {
        return "operations";
    }

    /** The contender that others are compared with; null for the first. */
    protected String baseline() {
        return times.baseline();
    }

    /** Whether the run and its counted one ended, and every check held. */
    protected boolean isValid(Run<S, C, A> run) {
        return (isCounted(run) ? run.counted() : run.timed()) != null
                && run.answers().allMatch(Answer::allHolds);
    }

    /** Adds runs that are computed from others. */
    protected List<Run<S, C, A>> completed(List<Run<S, C, A>> runs) {
        return runs;
    }

    /** Lines for standard error about a run with its answer, the timed one or that with statistics. */
    protected List<String> remarks(Run<S, C, A> run, A answer) {
        return run.counted() != null
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "  %s: %,.0f %s a second",
                        run.cell().name(),
                        run.operationsPerSecond(),
                        operations()));
    }

    protected Comparison<Run<S, C, A>> comparison(Results<Run<S, C, A>> results) {
        return new Comparison<>(results, "the throughput");
    }

    /** The conclusion but for its last sentence. */
    protected List<String> conclusion(Results<Run<S, C, A>> results, int cores, boolean good) {
        return comparison(results).sentences();
    }

    protected Map<String, Object> options() {
        return OptionValues.of(spec);
    }

    // --- for subclasses ----------------------------------------------------------------------------------------------

    public final RunTimes times() {
        return times;
    }

    public final long seed() {
        return common.seed();
    }

    public final Path out() {
        return common.out();
    }

    /** How many child JVMs live at once. */
    protected final int contendersAtOnce() {
        return isTimed() ? contenders().size() : 1;
    }

    /** Those of these options that have several values, or the threads if there are none. */
    protected final List<String> severalOrThreads(String... fields) {
        Map<String, Object> options = options();
        List<String> several = Arrays.stream(fields)
                .filter(field -> options.get(field) instanceof List<?> list && list.size() > 1)
                .toList();
        return several.isEmpty() ? List.of("threads") : several;
    }

    /** Makes a setting of one value of each of several lists. */
    protected interface Cross<A1, A2, A3, A4, S> {
        S of(A1 outermost, A2 second, A3 third, A4 innermost);
    }

    /** The cross product of four lists; the innermost one changes fastest. */
    protected static <A1, A2, A3, A4, S> List<S> cross(
            List<A1> outermost, List<A2> second, List<A3> third, List<A4> innermost, Cross<A1, A2, A3, A4, S> cross) {
        List<S> all = new ArrayList<>();
        outermost.forEach(a ->
                second.forEach(b -> third.forEach(c -> innermost.forEach(d -> all.add(cross.of(a, b, c, d))))));
        return all;
    }

    /** The seconds of a counted run that belongs to a timed one and is shorter. */
    protected final int shorterSeconds() {
        return Math.max(1, times.seconds() / 8);
    }

    protected final Column<Run<S, C, A>> contender(String field, Function<C, ?> value) {
        return Column.contender(field, run -> value.apply(run.contender()));
    }

    protected final Column<Run<S, C, A>> setting(String field, Function<S, ?> value) {
        return Column.setting(field, run -> value.apply(run.setting()));
    }

    protected final Column<Run<S, C, A>> figure(String field, Function<Run<S, C, A>, ?> value) {
        return Column.figure(field, value);
    }

    protected final Column<Run<S, C, A>> timed(String field, Function<A, ?> value) {
        return Column.figure(field, run -> run.timed(value));
    }

    protected final Column<Run<S, C, A>> counted(String field, Function<A, ?> value) {
        return Column.figure(field, run -> run.counted(value));
    }

    /** The throughput, shown where it is measured. */
    protected final Column<Run<S, C, A>> rate(String head) {
        return shownIf(isTimed(), figure(rate(), Run::operationsPerSecond).inSummary(), head, "%,.0f");
    }

    protected final Column<Run<S, C, A>> repeat() {
        return figure("repeat", run -> run.cell().repeat()).as("repeat", "%.0f").onlyOfRuns();
    }

    protected final Column<Run<S, C, A>> valid() {
        return figure("valid", this::isValid).as("valid", "%s").onlyOfRuns();
    }

    /** Fixes that gave the content of another page, at any time of the run; null if no run has ended. */
    protected static <R extends Run<?, ?, ? extends Answer.Played>> Column<R> wrongPages() {
        return Column.figure(
                "wrongPages",
                run -> run.answers()
                        .map(Answer.Played::wrongPages)
                        .reduce(Long::sum)
                        .orElse(null));
    }

    /** A column of some runs only, which tables show where there are such. */
    protected static <R> Column<R> shownIf(boolean shown, Column<R> column, String head, String format) {
        return shown ? column.as(head, format) : column;
    }

    /** The percentiles of a timed run: as an object in JSON, and as columns, shown where time is measured. */
    protected final List<Column<Run<S, C, A>>> latencies(Function<A, Percentiles> latency) {
        return List.of(
                timed("latencyMicros", latency).onlyInJson(),
                percentile("p50", latency, Percentiles::p50),
                percentile("p95", latency, Percentiles::p95),
                percentile("p99", latency, Percentiles::p99));
    }

    private Column<Run<S, C, A>> percentile(
            String name, Function<A, Percentiles> latency, Function<Percentiles, Double> percentile) {
        Column<Run<S, C, A>> column = timed(
                        name + "Micros",
                        answer -> Optional.ofNullable(latency.apply(answer))
                                .map(percentile)
                                .orElse(null))
                .notInJson();
        return shownIf(isTimed(), column, name + " µs", "%.2f");
    }

    /** Adds a chart of a figure by each of several fields. */
    protected static void addLines(
            Report report, String title, List<String> fields, String figure, String unit, boolean logarithmic) {
        for (String field : fields) {
            Chart chart = Chart.lines(title, field, figure, unit);
            report.chart(logarithmic ? chart.logarithmic() : chart);
        }
    }

    protected static void addRatios(Report report, String unit) {
        report.chart(Chart.bars("Ratio with its 95 % interval", "threads", "ratio", unit));
    }

    /** A sentence for runs with more threads than the machine has processors. */
    protected static List<String> ifMore(int mostThreads, int cores, String sentence) {
        return mostThreads > cores
                ? List.of("This machine has " + Figures.counted(cores, "processors") + ": " + sentence)
                : List.of();
    }

    // --- for the runner ----------------------------------------------------------------------------------------------

    protected final Usage usage() {
        return new Usage(spec);
    }

    protected final String name() {
        return spec.name();
    }

    final String counts() {
        return outline.counts();
    }

    final Class<A> answerType() {
        return answerType;
    }

    /** Every setting, by groups of contenders that are compared. */
    final List<List<Cell<S, C>>> plan() {
        return Cell.plan(settings(), contenders(), times.repeat());
    }

    final Results<Run<S, C, A>> results(List<Run<S, C, A>> runs) {
        return new Results<>(columns(runs), runs, rate(), Run::cell, Run::turns, times.slice(), baseline());
    }

    final Report report(List<Run<S, C, A>> runs, List<String> jvmFlags) {
        Results<Run<S, C, A>> results = results(runs);
        Report report = new Report(
                        name(), title(), lead(), String.join(" ", notes(runs)), Environment.here(jvmFlags), options())
                .results("runs", results);
        addTo(report, results);
        return report;
    }

    final String conclusion(List<Run<S, C, A>> runs, int cores, boolean good) {
        List<String> lines = new ArrayList<>(conclusion(results(runs), cores, good));
        lines.add(good ? outline.good() : outline.bad());
        return String.join(System.lineSeparator(), lines);
    }
}
