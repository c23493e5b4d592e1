// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer.Counted;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The results of {@code bp-wrapper}. */
record BpWrapperReport(Settings settings, List<Run> runs) {

    private static List<Column<Run>> columns(boolean timed) {
        return List.of(
                Column.contender("form", run -> run.cell().contender().form().label()),
                Column.<Run>setting("policy", run -> run.cell().setting().policy()),
                Column.<Run>setting("threads", run -> run.cell().setting().threads())
                        .inWords("%s threads"),
                Column.<Run>contender("queueSize", run -> run.cell().contender().queueSize())
                        .as("queue", "%s")
                        .inWords("queue size %s"),
                Column.<Run>contender("threshold", run -> run.cell().contender().threshold())
                        .inWords("threshold %s"),
                Column.<Run>setting(
                        "stream", run -> run.cell().setting().stream().label()),
                Column.<Run>setting("missPercent", run -> run.cell().setting().missPercent())
                        .as("miss %", "%s")
                        .inWords("%s %% misses"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns(),
                Column.figure("accesses", run -> run.counted(Counted::accesses)),
                operations(timed),
                perMillion("lockAcquisitionsPerMillion", Counted::lockAcquisitions)
                        .as("locks/M", "%,.0f"),
                perMillion("contentionsPerMillion", Counted::contentions).as("contentions/M", "%,.1f"),
                perMillion("failedTriesPerMillion", Counted::failedTries).as("failed tries/M", "%,.1f"),
                perMillion("toldHitsPerMillion", Counted::recordedHits).as("recorded hits/M", "%,.0f"),
                perMillion("recordedHitsPerMillion", Counted::recordedHits),
                Column.<Run>figure("hitRatio", run -> run.counted(c -> (double) c.hits() / (c.hits() + c.misses())))
                        .asPercent("hits %")
                        .inSummary(),
                Column.<Run>figure("latencyMicros", run -> run.timed(Timed::latencyMicros))
                        .onlyInJson(),
                latency("p50", Percentiles::p50, timed),
                latency("p95", Percentiles::p95, timed),
                latency("p99", Percentiles::p99, timed),
                Column.figure("timedAccesses", run -> run.timed(Timed::accesses)),
                Column.figure("wrongPages", Run::wrongPages),
                Column.figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()));
    }

    private static Column<Run> operations(boolean shown) {
        Column<Run> column = Column.<Run>figure("operationsPerSecond", run -> run.timed(Timed::operationsPerSecond))
                .inSummary();
        return shown ? column.as("ops/s", "%,.0f") : column;
    }

    private static Column<Run> perMillion(String field, ToLongFunction<Counted> count) {
        return Column.<Run>figure(field, run -> run.perMillion(count)).inSummary();
    }

    private static Column<Run> latency(String name, Function<Percentiles, Double> percentile, boolean shown) {
        Column<Run> column = Column.<Run>figure(name + "Micros", run -> run.latency(percentile))
                .notInJson();
        return shown ? column.as(name + " µs", "%.2f").onlyOfRuns() : column;
    }

    /** Compared with the first form, or with another. */
    Results<Run> results(Form baseline) {
        return new Results<>(
                columns(settings.isTimed()),
                runs,
                "operationsPerSecond",
                Run::cell,
                Run::turns,
                settings.times().slice(),
                baseline == null ? settings.times().baseline() : baseline.label(),
                "ratioToFirst");
    }

    Report report(Memory memory) {
        Results<Run> results = results(null);
        String lead = settings.isTimed()
                ? settings.times().seconds() + " s of own time measured after "
                        + settings.times().warmup() + " s of warm-up"
                : "locks and hits counted";
        Report report = new Report(
                        "bp-wrapper",
                        "BP-Wrapper: hits of a list policy, recorded under a lock",
                        String.format(Locale.ROOT, "%s, a pool of %,d pages", lead, settings.frames()),
                        note(),
                        Environment.here(memory.jvmFlags()),
                        settings.asOptions())
                .results("runs", results)
                .summary(results);
        if (settings.isTimed()) {
            addCharts(report, "Throughput", "operationsPerSecond", "operations/s", false);
            report.chart(
                    Chart.bars("Ratio with its 95 % interval", "threads", "ratio", "times the baseline's throughput"));
        }
        addCharts(report, "Lock acquisitions", "lockAcquisitionsPerMillion", "per million references", true);
        addCharts(report, "Contentions", "contentionsPerMillion", "per million references", true);
        return report;
    }

    /** One by threads, and one by each other list that has several values. */
    private void addCharts(Report report, String title, String figure, String unit, boolean logarithmic) {
        for (String field : settings.severalOf("threads", "missPercent", "queueSize", "threshold")) {
            Chart chart = Chart.lines(title, field, figure, unit);
            report.chart(logarithmic ? chart.logarithmic() : chart);
        }
    }

    /** The limits of the figures, for the reader. */
    private String note() {
        List<String> sentences = new ArrayList<>();
        sentences.add("A contention is a request for the lock that had to wait.");
        if (settings.isTimed()) {
            sentences.add("Locks and hits are counted in a separate run, under a lock that counts; where threads are"
                    + " timed, nothing is counted. A closed loop of threads.");
        }
        if (settings.hasMisses()) {
            sentences.add("A missed page is generated: no I/O is in the figures.");
        }
        if (settings.forms().contains(Form.MODERN)) {
            sentences.add("The lossy hit buffer has queues of 64 hits and a threshold of 32, with any options.");
        }
        return String.join(" ", sentences);
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended and every page was right
     */
    String conclusion(int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(null));
        List<Form> forms = settings.forms();
        if (forms.get(0) != Form.SPIN && forms.contains(Form.SPIN)) {
            // whether a wrapper loses to a spin lock where there are many misses is a question of its own
            String first = forms.get(0).label();
            comparison(Form.SPIN).stream()
                    .filter(line -> !line.startsWith(first + " ") && !line.startsWith(first + ","))
                    .forEach(lines::add);
        }
        if (settings.mostThreads() > cores) {
            lines.add("This machine has " + cores + (cores == 1 ? " processor" : " processors")
                    + ": with more threads a lock is contended when its holder is suspended, and runs show how well"
                    + " threads take turns, not how a form scales.");
        }
        lines.add(good ? "Every page fixed was the right one." : "Not every run ended with right pages, see above.");
        return String.join(System.lineSeparator(), lines);
    }

    private List<String> comparison(Form baseline) {
        return new Comparison<>(results(baseline), "the throughput")
                .share("lockAcquisitionsPerMillion", "the lock taken %s as often")
                .share("contentionsPerMillion", "contentions %s as many")
                .sentences();
    }
}
