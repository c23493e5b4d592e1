// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.device.DeviceFigures;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.lruc.driver.RunAnswer;
import io.clockhand.workbench.lruc.driver.RunAnswer.Latency;
import io.clockhand.workbench.lruc.driver.RunOrder;
import io.clockhand.workbench.lruc.pool.PoolFigures;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The results of {@code lru-c}. */
record LruCReport(Settings settings, List<Run> runs, List<Sweep> sweeps) {
    private static final String RATIO = "ratioToBaseline";
    private static final double MICROS_PER_MILLI = 1_000;

    // --- columns -----------------------------------------------------------------------------------------------------

    private List<Column<Run>> columns() {
        List<Column<Run>> columns = new ArrayList<>(settingColumns());
        columns.addAll(throughputColumns());
        columns.addAll(missColumns());
        columns.addAll(deviceColumns());
        columns.addAll(stateColumns());
        return columns;
    }

    private List<Column<Run>> settingColumns() {
        return List.of(
                Column.contender("scheme", Run::scheme),
                Column.<Run>setting("device", run -> run.cell().setting().device()),
                Column.<Run>setting("timeScale", this::timeScale).as("time scale", "%s"),
                Column.<Run>setting("threads", run -> run.cell().setting().threads())
                        .inWords("%s threads"),
                Column.<Run>setting("poolPercent", run -> run.cell().setting().poolPercent())
                        .as("pool %", "%s")
                        .inWords("a pool of %s %%"),
                Column.<Run>setting("readWrite", run -> run.cell().setting().readWrite())
                        .as("reads:writes", "%s")
                        .inWords("%s reads to writes"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns(),
                Column.figure("pages", run -> ordered(run, o -> o.source().pages())),
                Column.figure("frames", run -> ordered(run, o -> o.pool().frames())),
                Column.figure("pageBytes", run -> ordered(run, o -> o.device().pageBytes())),
                shown(
                        Column.figure("flushPagesPerSecond", Run::flushRate),
                        run -> run.flushRate() != null,
                        "rate",
                        "%,.0f"));
    }

    private Double timeScale(Run run) {
        String device = run.cell().setting().device();
        return Devices.isReal(device) ? null : Double.valueOf(settings.timeScale(device));
    }

    private static <V> V ordered(Run run, Function<RunOrder, V> part) {
        return run.order() == null ? null : part.apply(run.order());
    }

    private List<Column<Run>> throughputColumns() {
        return List.of(
                Column.<Run>figure("operationsPerSecond", Run::operationsPerSecond)
                        .as("ops/s", "%,.0f")
                        .inSummary(),
                Column.<Run>figure(RATIO, this::ratio)
                        .as("to " + settings.runs().baseline(), "%.2f")
                        .withRange()
                        .inSummary(),
                Column.<Run>figure("threadsPerChannel", Run::threadsPerChannel).as("N/K", "%.2f"),
                Column.figure("channels", Run::channels),
                Column.<Run>figure("utilisationPercent", Run::utilisationPercent)
                        .as("busy %", "%.0f")
                        .inSummary());
    }

    private List<Column<Run>> missColumns() {
        return List.of(
                Column.figure("missesPerSecond", Run::missesPerSecond),
                Column.<Run>figure("missRatio", Run::missRatio)
                        .asPercent("misses %")
                        .inSummary(),
                Column.<Run>figure("readStallPercent", Run::readStallPercent)
                        .as("stalls %", "%.2f")
                        .inSummary(),
                Column.<Run>figure("latencyMicros", run -> run.answered(RunAnswer::missMicros))
                        .onlyInJson(),
                Column.<Run>figure("operationLatencyMicros", run -> run.answered(RunAnswer::operationMicros))
                        .onlyInJson(),
                latency("missP50Millis", "p50 ms", Latency::p50),
                latency("missP95Millis", "p95 ms", Latency::p95).inSummary(),
                latency("missP99Millis", "p99 ms", Latency::p99),
                Column.<Run>figure("framesScannedPerMiss", Run::framesScannedPerMiss)
                        .as("scanned/miss", "%.1f"),
                Column.<Run>figure("mutexWaits", run -> run.pool(PoolFigures::mutexWaits)),
                shown(
                        Column.figure("mutexWaitMillisPerSecond", Run::mutexWaitMillisPerSecond),
                        run -> run.answer() != null && run.answer().pool().mutexWaits() > 0,
                        "mutex ms/s",
                        "%.1f"));
    }

    /** Shows a column in tables if it says something of a run. */
    private Column<Run> shown(Column<Run> column, Predicate<Run> saysSomething, String head, String format) {
        return runs.stream().anyMatch(saysSomething) ? column.as(head, format) : column;
    }

    private static Column<Run> latency(String field, String head, Function<Latency, Double> percentile) {
        return Column.<Run>figure(
                        field,
                        run -> run.answered(a ->
                                a.missMicros() == null ? null : percentile.apply(a.missMicros()) / MICROS_PER_MILLI))
                .as(head, "%.1f");
    }

    private static List<Column<Run>> deviceColumns() {
        return List.of(
                Column.<Run>figure("readsPerSecond", Run::readsPerSecond).as("reads/s", "%,.0f"),
                Column.<Run>figure("writesPerSecond", Run::writesPerSecond)
                        .as("writes/s", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("pagesPerBatch", Run::pagesPerBatch).as("pages/batch", "%.1f"),
                Column.figure("requestsInFlight", run -> run.device(DeviceFigures::inFlight)),
                Column.figure("requestsQueued", run -> run.device(DeviceFigures::queued)),
                Column.figure("readMicros", run -> run.device(d -> d.reads().meanMicros())),
                Column.figure("writeMicros", run -> run.device(d -> d.writes().meanMicros())),
                Column.figure("lateMicros", run -> run.device(DeviceFigures::lateMicros)));
    }

    private static List<Column<Run>> stateColumns() {
        return List.of(
                Column.<Run>figure("cpuIdlePercent", run -> run.answered(RunAnswer::cpuIdlePercent))
                        .as("CPU idle %", "%.0f")
                        .inSummary(),
                Column.<Run>figure("driftPercent", run -> run.steadiness(Steadiness::driftPercent))
                        .as("drift %", "%+.1f")
                        .badIf(Run::isUnstable),
                Column.<Run>figure("stable", Run::stable)
                        .as("stable", "%s")
                        .onlyOfRuns()
                        .badIf(Run::isUnstable),
                Column.<Run>figure("notStable", run -> run.stable() == null ? null : run.isUnstable() ? 1 : 0)
                        .as("not stable", "%.0f")
                        .added()
                        .onlyInTables(),
                Column.<Run>figure("lowestSecondPercent", run -> run.steadiness(Steadiness::lowestPercent))
                        .as("lowest s %", "%.0f"),
                Column.<Run>figure("steadyPercent", run -> run.steadiness(Steadiness::steadyPercent))
                        .as("steady %", "%.0f")
                        .inSummary(),
                Column.<Run>figure("overTime", Run::overTime).onlyInJson(),
                Column.figure("closeSeconds", run -> run.answered(RunAnswer::closeSeconds)),
                Column.figure("lostChanges", Run::lostChanges),
                Column.<Run>figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()));
    }

    /** To the run of the baseline in the same setting and repeat; null for the baseline itself. */
    private Double ratio(Run run) {
        String baseline = settings.runs().baseline();
        if (run.answer() == null || (run.scheme().equals(baseline) && run.cell().occurrence() == 1)) {
            return null;
        }
        return runs.stream()
                .filter(other -> other.scheme().equals(baseline)
                        && other.cell().occurrence() == 1
                        && other.cell().repeat() == run.cell().repeat()
                        && other.cell().setting().equals(run.cell().setting())
                        && other.answer() != null
                        && other.operationsPerSecond() > 0)
                .findFirst()
                .map(base -> run.operationsPerSecond() / base.operationsPerSecond())
                .orElse(null);
    }

    // --- report ------------------------------------------------------------------------------------------------------

    Results<Run> results() {
        return new Results<>(
                columns(),
                runs,
                "operationsPerSecond",
                Run::cell,
                run -> null,
                null,
                settings.runs().baseline(),
                "ratioOfPairs");
    }

    Report report(Memory memory) {
        Results<Run> results = results();
        Report report = new Report(
                        "lru-c",
                        "Misses while pages are dirty",
                        String.format(
                                Locale.ROOT,
                                "%d s measured after %d s of warm-up, each run alone",
                                settings.runs().seconds(),
                                settings.runs().warmup()),
                        note(),
                        Environment.here(memory.jvmFlags()),
                        settings.asOptions())
                .results("runs", results)
                .summary(results)
                .add("sweeps", sweeps.stream().map(LruCReport::sweep).toList());
        for (String field : settings.severalOf("threads", "poolPercent", "readWrite", "device")) {
            report.chart(Chart.bars("Throughput", field, "operationsPerSecond", "operations/s"))
                    .chart(Chart.bars("Ratio to " + results.baseline(), field, RATIO, "times its throughput"))
                    .chart(Chart.bars("95th percentile of a miss", field, "missP95Millis", "ms"));
        }
        return report.chart(Chart.overTime("Throughput over time", "operations/s", "operationsPerSecond"))
                .chart(Chart.overTime("Read stalls over time", "a second", "readStallsPerSecond"));
    }

    private static Map<String, Object> sweep(Sweep sweep) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("device", sweep.setting().device());
        fields.put("threads", sweep.setting().threads());
        fields.put("poolPercent", sweep.setting().poolPercent());
        fields.put("readWrite", sweep.setting().readWrite());
        fields.put("bestPagesPerSecond", sweep.best());
        fields.put("runs", sweep.points());
        return fields;
    }

    /** The limits of the figures, for the reader. */
    private String note() {
        List<String> sentences = new ArrayList<>();
        sentences.add("Runs come one after the other, each alone; a ratio is that of one repeat, and several are shown"
                + " as median (min … max).");
        sentences.add("A closed loop of threads; latencies are those of misses.");
        if (settings.devices().stream().anyMatch(device -> !Devices.isReal(device))) {
            sentences.add("Requests of simulated devices take " + Figures.brief(settings.simulatedScale())
                    + " times as long as on the device: multiply rates by that. N/K is threads for each channel, busy"
                    + " the part of the channels' time in which they serve requests.");
        }
        if (settings.freeWrites()) {
            sentences.add("Writes take no time.");
        }
        sentences.add("Drift is by how much the second half of a run is faster than the first; beyond "
                + Figures.brief(Steadiness.MOST_DRIFT_PERCENT) + " % either way the run is not stable. Steady is the"
                + " part of the seconds with at least half of the median throughput.");
        sweeps.stream()
                .filter(sweep -> sweep.best() != null)
                .map(sweep -> String.format(
                        Locale.ROOT, "vanilla-best writes %,d pages/s (%s).", sweep.best(), sweep.setting()))
                .forEach(sentences::add);
        return String.join(" ", sentences);
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended and every page was right
     */
    String conclusion(boolean good) {
        List<String> lines = new ArrayList<>(comparisons());
        List<String> unstable = runs.stream()
                .filter(Run::isUnstable)
                .map(run -> String.format(
                        Locale.ROOT, "%s (%+.0f %%)", run.cell(), run.steadiness(Steadiness::driftPercent)))
                .toList();
        if (!unstable.isEmpty()) {
            lines.add("Not stable, so that a longer run may give another figure: " + String.join("; ", unstable) + ".");
        }
        lines.add(
                good
                        ? "Every page used was the right one, and every change was found in its page after the close."
                        : "Not every run ended with right pages, see above.");
        return String.join(System.lineSeparator(), lines);
    }

    /** A sentence for each scheme but the baseline. */
    private List<String> comparisons() {
        Results<Run> results = results();
        Map<String, List<Results.Line<Run>>> lines = results.lines().stream()
                .filter(line -> line.paired() != null)
                .collect(Collectors.groupingBy(Results.Line::contender, LinkedHashMap::new, Collectors.toList()));
        List<String> sentences = new ArrayList<>();
        lines.forEach((contender, own) -> sentences.add(contender + " against " + results.baseline() + ": "
                + own.stream().map(line -> inWords(line, results)).collect(Collectors.joining("; "))
                + "."));
        return sentences;
    }

    private static String inWords(Results.Line<Run> line, Results<Run> results) {
        Run first = line.runs().get(0);
        String setting = results.settingInWords(first);
        List<String> about = new ArrayList<>();
        if (line.pairs() > 1) {
            about.add(String.format(
                    Locale.ROOT,
                    "%.2f … %.2f in %d pairs",
                    line.paired().min(),
                    line.paired().max(),
                    line.pairs()));
        } else {
            about.add("one pair");
        }
        if (first.threadsPerChannel() != null && first.utilisationPercent() != null) {
            about.add(String.format(
                    Locale.ROOT, "N/K %.2f, %.0f %% busy", first.threadsPerChannel(), first.utilisationPercent()));
        }
        return String.format(
                Locale.ROOT,
                "%.2f times the throughput%s (%s)",
                line.paired().median(),
                setting.isEmpty() ? "" : " with " + setting,
                String.join("; ", about));
    }
}
