// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.lruc.RunAnswer.Latency;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.DeviceFigures.Requests;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The measured figures of runs as columns of the report. */
final class RunColumns {
    private static final double MICROS_PER_MILLI = 1_000;

    private RunColumns() {}

    static List<Column<Run<Setting, String, RunAnswer>>> of(List<Run<Setting, String, RunAnswer>> runs) {
        return Stream.of(ofMisses(runs), ofDevice(), ofState())
                .flatMap(List::stream)
                .toList();
    }

    private static Column<Run<Setting, String, RunAnswer>> timed(String field, Function<RunAnswer, ?> value) {
        return Column.figure(field, run -> run.timed(value));
    }

    private static Column<Run<Setting, String, RunAnswer>> shown(
            String field, Function<RunAnswer, ?> value, String head, String format) {
        return timed(field, value).as(head, format);
    }

    private static Column<Run<Setting, String, RunAnswer>> summarized(
            String field, Function<RunAnswer, ?> value, String head, String format) {
        return shown(field, value, head, format).inSummary();
    }

    private static List<Column<Run<Setting, String, RunAnswer>>> ofMisses(List<Run<Setting, String, RunAnswer>> runs) {
        Column<Run<Setting, String, RunAnswer>> mutexWait =
                timed("mutexWaitMillisPerSecond", answer -> answer.pool().mutexWaitNanos() / 1e6 / answer.seconds());
        boolean hasWaits = runs.stream()
                .anyMatch(run -> run.timed() != null && run.timed().pool().mutexWaits() > 0);
        return List.of(
                summarized("utilisationPercent", RunAnswer::utilisation, "busy %", "%.0f"),
                timed("missesPerSecond", RunAnswer::missesPerSecond),
                timed("missRatio", RunAnswer::missRatio).asPercent("misses %").inSummary(),
                summarized("readStallPercent", RunAnswer::readStallPercent, "stalls %", "%.2f"),
                timed("latencyMicros", RunAnswer::missMicros).onlyInJson(),
                timed("operationLatencyMicros", RunAnswer::operationMicros).onlyInJson(),
                shown("missP50Millis", millis(Latency::p50), "p50 ms", "%.1f"),
                summarized("missP95Millis", millis(Latency::p95), "p95 ms", "%.1f"),
                shown("missP99Millis", millis(Latency::p99), "p99 ms", "%.1f"),
                shown("framesScannedPerMiss", RunAnswer::framesScannedPerMiss, "scanned/miss", "%.1f"),
                timed("mutexWaits", answer -> answer.pool().mutexWaits()),
                hasWaits ? mutexWait.as("mutex ms/s", "%.1f") : mutexWait);
    }

    private static Function<RunAnswer, Double> millis(Function<Latency, Double> percentile) {
        return answer -> answer.missMicros() == null
                ? null
                : Double.valueOf(percentile.apply(answer.missMicros()) / MICROS_PER_MILLI);
    }

    private static List<Column<Run<Setting, String, RunAnswer>>> ofDevice() {
        return List.of(
                shown("readsPerSecond", RunAnswer::readsPerSecond, "reads/s", "%,.0f"),
                summarized("writesPerSecond", RunAnswer::writesPerSecond, "writes/s", "%,.0f"),
                shown("pagesPerBatch", RunAnswer::pagesPerBatch, "pages/batch", "%.1f"),
                device("requestsInFlight", DeviceFigures::inFlight),
                device("requestsQueued", DeviceFigures::queued),
                device("readMicros", micros(DeviceFigures::reads)),
                device("writeMicros", micros(DeviceFigures::writes)),
                device("lateMicros", DeviceFigures::lateMicros),
                summarized("cpuIdlePercent", RunAnswer::cpuIdlePercent, "CPU idle %", "%.0f"));
    }

    private static Column<Run<Setting, String, RunAnswer>> device(String field, Function<DeviceFigures, Double> value) {
        return timed(field, answer -> answer.device(value));
    }

    private static Function<DeviceFigures, Double> micros(Function<DeviceFigures, Requests> kind) {
        return figures -> kind.apply(figures).meanMicros();
    }

    private static List<Column<Run<Setting, String, RunAnswer>>> ofState() {
        return List.of(
                state("driftPercent", Steadiness::driftPercent)
                        .as("drift %", "%+.1f")
                        .badIf(RunAnswer::isUnstable),
                state("stable", Steadiness::stable)
                        .as("stable", "%s")
                        .onlyOfRuns()
                        .badIf(RunAnswer::isUnstable),
                state("notStable", steadiness -> steadiness.stable() ? 0 : 1)
                        .as("not stable", "%.0f")
                        .added()
                        .onlyInTables(),
                state("lowestSecondPercent", Steadiness::lowestPercent).as("lowest s %", "%.0f"),
                state("steadyPercent", Steadiness::steadyPercent)
                        .as("steady %", "%.0f")
                        .inSummary(),
                timed("overTime", RunAnswer::overTime).onlyInJson(),
                timed("closeSeconds", RunAnswer::closeSeconds),
                timed("lostChanges", RunAnswer::lost));
    }

    private static Column<Run<Setting, String, RunAnswer>> state(String field, Function<Steadiness, ?> value) {
        return timed(field, answer -> answer.steadiness(value));
    }
}
