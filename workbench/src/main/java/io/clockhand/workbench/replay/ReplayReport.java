// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.advice.Advised;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Written.Writes;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The results of {@code replay}. */
record ReplayReport(Settings settings, List<Run> runs) {

    private List<Column<Run>> columns() {
        return List.of(
                Column.contender("policy", run -> run.cell().contender().policy()),
                Column.<Run>contender("hand", run -> run.cell().contender().handLabel())
                        .inWords("%s hand"),
                Column.<Run>contender(
                                "pageIn", run -> run.cell().contender().pageIn().label())
                        .as("page-in", "%s")
                        .inWords("%s page-in"),
                Column.<Run>setting("threads", run -> run.cell().setting().threads())
                        .inWords("%s threads"),
                Column.<Run>setting("frames", run -> run.cell().setting().frames())
                        .as("frames", "%,.0f")
                        .inWords("%s frames"),
                Column.figure("pageBytes", run -> settings.pageBytes()),
                Column.<Run>setting("workload", run -> run.cell().setting().workload()),
                Column.<Run>setting("io", run -> run.cell().setting().io().label())
                        .inWords("io %s"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns(),
                count("accesses", run -> run.counted(Counted::accesses))
                        .as("counted", "%,.0f")
                        .onlyOfRuns(),
                settings.isTimed()
                        ? count("hits", run -> run.counted(Counted::hits))
                        : count("hits", run -> run.counted(Counted::hits)).as("hits", "%,.0f"),
                count("misses", run -> run.counted(Counted::misses)),
                Column.<Run>figure("hitRatio", run -> run.counted(c -> (double) c.hits() / (c.hits() + c.misses())))
                        .asPercent("hits %")
                        .inSummary(),
                operations(settings.isTimed()),
                count("reads", run -> run.counted(Counted::reads)).as("reads", "%,.0f"),
                count("wastedReads", run -> run.counted(Counted::wastedReads)).as("wasted", "%,.0f"),
                ofWrites(count("writes", run -> run.writes(Writes::pages)), "writes", "%,.0f"),
                ofWrites(count("readStalls", run -> run.writes(Writes::readStalls)), "stalls", "%,.0f"),
                Column.<Run>figure("latencyMicros", run -> run.timed(Timed::latencyMicros))
                        .onlyInJson(),
                latency("p50", Percentiles::p50, settings.isTimed()),
                latency("p95", Percentiles::p95, settings.isTimed()),
                latency("p99", Percentiles::p99, settings.isTimed()),
                Column.figure("framesInspectedPerMiss", Run::framesScannedPerMiss)
                        .as("scanned/miss", "%.2f"),
                count("timedAccesses", run -> run.timed(Timed::accesses)),
                count("updates", run -> run.hasWrites() ? run.counted(Counted::changes) : null),
                count("writeCalls", run -> run.writes(Writes::calls)),
                count("batches", run -> run.writes(Writes::batches)),
                ofWrites(Column.figure("pagesPerBatch", Run::pagesPerBatch), "pages/batch", "%.1f"),
                count("logWaits", run -> run.writes(Writes::logWaits)),
                Column.figure("dirtyPages", run -> run.writes(Writes::dirtyPages)),
                ofTimedWrites(Column.figure("pagesWrittenPerSecond", Run::pagesWrittenPerSecond), "written/s"),
                ofTimedWrites(Column.figure("steadyRatio", Run::steadyRatio), null),
                Column.<Run>figure("overTime", Run::overTime).onlyInJson(),
                count("lostChanges", Run::lostChanges),
                Column.<Run>figure("estimates", run -> run.counted(Counted::estimates))
                        .onlyInJson(),
                count("wrongPages", Run::wrongPages),
                Column.figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()));
    }

    private static Column<Run> count(String field, Function<Run, Long> value) {
        return Column.figure(field, value);
    }

    private boolean hasWrites() {
        return runs.stream().anyMatch(Run::hasWrites);
    }

    /** Shown if pages were changed. */
    private Column<Run> ofWrites(Column<Run> column, String head, String format) {
        return hasWrites() ? column.as(head, format) : column;
    }

    /** Shown if pages were changed in timed runs; a column without a head is a ratio. */
    private Column<Run> ofTimedWrites(Column<Run> column, String head) {
        if (!settings.isTimed() || !hasWrites()) {
            return column;
        }
        return head == null ? column.asPercent("steady %") : column.as(head, "%,.0f");
    }

    private static Column<Run> operations(boolean shown) {
        Column<Run> column = Column.<Run>figure("operationsPerSecond", run -> run.timed(Timed::operationsPerSecond))
                .inSummary();
        return shown ? column.as("ops/s", "%,.0f") : column;
    }

    private static Column<Run> latency(String name, Function<Percentiles, Double> percentile, boolean shown) {
        Column<Run> column = Column.<Run>figure(name + "Micros", run -> run.latency(percentile))
                .notInJson();
        return shown ? column.as(name + " µs", "%.2f") : column;
    }

    Results<Run> results() {
        return new Results<>(
                columns(),
                runs,
                "operationsPerSecond",
                Run::cell,
                Run::turns,
                settings.times().slice(),
                settings.times().baseline(),
                "ratioToFirst");
    }

    Report report(Memory memory) {
        Results<Run> results = results();
        String lead = settings.isTimed()
                ? settings.times().seconds() + " s of own time measured after "
                        + settings.times().warmup() + " s of warm-up"
                : "hits counted, one pool for each run";
        Report report = new Report(
                        "replay",
                        "References to pages, replayed on the page pool",
                        String.format(Locale.ROOT, "%s, pages of %,d bytes", lead, settings.pageBytes()),
                        note(),
                        Environment.here(memory.jvmFlags()),
                        settings.asOptions())
                .results("runs", results)
                .summary(results)
                .chart(Chart.lines("Hit ratio by frames", "frames", "hitRatio", "hits, %"));
        if (settings.advice().policies() != null) {
            report.added(Advised.table(
                            runs.stream().map(run -> advised(run, results)).toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size", "policy", new Chart.Estimates("runs", "frames", "frames")));
        }
        if (!settings.isTimed()) {
            return report;
        }
        if (hasWrites()) {
            addChartsOverTime(report);
        }
        return report.chart(Chart.lines("Throughput by threads", "threads", "operationsPerSecond", "operations/s"))
                .chart(Chart.lines(
                                "Throughput by hit ratio, a point for each number of frames",
                                "frames",
                                "operationsPerSecond",
                                "operations/s")
                        .overX("hitRatio"))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval", "threads", "ratio", "times the baseline's throughput"));
    }

    private static Advised advised(Run run, Results<Run> results) {
        return new Advised(
                results.label(run),
                results.settingInWords(run),
                run.cell().setting().frames(),
                run.counted(c -> (double) c.hits() / c.accesses()),
                run.counted(Counted::estimates));
    }

    private static void addChartsOverTime(Report report) {
        report.chart(Chart.overTime("Over time", "a second", "accessesPerSecond", "pagesWrittenPerSecond"))
                .chart(Chart.overTime("Dirty pages over time", "pages", "dirtyPages"))
                .chart(Chart.overTime("Batches over time", "pages a batch", "pagesPerBatch"))
                .chart(Chart.overTime("Waits over time", "a second", "readStallsPerSecond", "logWaitsPerSecond"));
    }

    /** The limits of the figures, for the reader. */
    private String note() {
        List<String> sentences = new ArrayList<>();
        sentences.add("A hit is a fix that finds its page mapped.");
        if (settings.isTimed()) {
            sentences.add("A closed loop of threads: latencies are those of single fixes, about one in five hundred,"
                    + " or all with --rate or --device-writes (in a duel only those within one slice),"
                    + " with the 20 to 50 ns that it takes to read the clock.");
            sentences.add("Hits and reads come from a separate, counted run, whose threads yield so that time slices do"
                    + " not raise them.");
        }
        if (settings.advice().policies() != null) {
            sentences.add("Estimates are those of the pool of a counted run, after its warm-up; it plays a sample of"
                    + " its references through small models.");
        }
        if (hasWrites()) {
            sentences.add("Contenders that change pages ran one after the other: their flushers go by the clock."
                    + " Writes, batches, stalls and log waits come from the counted run, those over time, after the"
                    + " warm-up, from the timed one. Steady is the share of its seconds with at least half of the"
                    + " median's accesses.");
        }
        if (settings.ios().contains(Io.MEMORY)) {
            sentences.add("With io memory a missed page is generated: no I/O is in the figures.");
        }
        if (settings.ios().contains(Io.CACHED)) {
            sentences.add("Cached reads are served from the operating system's page cache unless memory is short.");
        }
        return String.join(" ", sentences);
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended and every page was right
     */
    String conclusion(int cores, boolean good) {
        List<String> lines = new ArrayList<>(new Comparison<>(results(), "the throughput")
                .points("hitRatio", "hit ratio")
                .sentences());
        if (settings.isTimed() && settings.mostThreads() > cores) {
            lines.add("This machine has " + cores + (cores == 1 ? " processor" : " processors")
                    + ": runs of more threads show how well threads take turns, not how a policy scales.");
        }
        if (good && hasWrites()) {
            lines.add("Every change was found in its page after the close.");
        }
        lines.add(good ? "Every page fixed was the right one." : "Not every run ended with right pages, see above.");
        return String.join(System.lineSeparator(), lines);
    }
}
