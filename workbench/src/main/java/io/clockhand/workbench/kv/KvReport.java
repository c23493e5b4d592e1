// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv;

import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.kv.KvCommand.Setting;
import io.clockhand.workbench.kv.driver.Engine;
import io.clockhand.workbench.kv.driver.RunAnswer;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.report.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The results of {@code kv}. */
record KvReport(KvCommand settings, List<Run> runs) {
    private static final String RATE = "operationsPerSecond";

    /**
     * A run and its answer.
     *
     * @param turns null if the run failed
     * @param answer null if the run failed
     */
    record Run(Cell<Setting, Engine> cell, Turns turns, RunAnswer answer) {
        Double operationsPerSecond() {
            return turns == null ? null : Double.valueOf(turns.standing().operationsPerSecond());
        }

        private <V> V of(Function<RunAnswer, V> figure) {
            return answer == null ? null : figure.apply(answer);
        }

        boolean isValid() {
            return answer != null && answer.allHolds();
        }
    }

    private List<Column<Run>> columns() {
        return List.of(
                Column.contender("engine", run -> run.cell().contender().toString()),
                Column.setting("work", run -> run.cell().setting().work().toString()),
                Column.<Run>setting("threads", run -> run.cell().setting().threads())
                        .inWords("%s threads"),
                Column.<Run>setting("entries", run -> run.cell().setting().entries())
                        .inWords("%s entries"),
                Column.<Run>setting("memoryPercent", run -> run.cell().setting().memoryPercent())
                        .as("memory %", "%s")
                        .inWords("memory for %s %%"),
                Column.<Run>setting(
                                "durability",
                                run -> KvCommand.durability(run.cell().setting().forced()))
                        .inWords("%s commits"),
                Column.<Run>figure("repeat", run -> run.cell().repeat())
                        .as("repeat", "%.0f")
                        .onlyOfRuns(),
                Column.<Run>figure(RATE, Run::operationsPerSecond)
                        .as("operations/s", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("latencyMicros", run -> run.of(RunAnswer::latencyMicros))
                        .onlyInJson(),
                latency("p50", Percentiles::p50),
                latency("p95", Percentiles::p95),
                latency("p99", Percentiles::p99),
                Column.<Run>figure("processorMicros", run -> run.of(RunAnswer::processorMicros))
                        .as("CPU µs each", "%,.2f")
                        .inSummary(),
                Column.<Run>figure("allocatedBytes", run -> run.of(RunAnswer::allocatedBytes))
                        .as("bytes allocated each", "%,.0f")
                        .inSummary(),
                Column.<Run>figure("storeBytes", run -> run.of(RunAnswer::storeBytes)),
                Column.<Run>figure("wrongResults", run -> run.of(RunAnswer::wrongResults)),
                Column.<Run>figure("valid", Run::isValid)
                        .as("valid", "%s")
                        .onlyOfRuns()
                        .badIf(run -> !run.isValid()));
    }

    private static Column<Run> latency(String name, Function<Percentiles, Double> percentile) {
        return Column.<Run>figure(name + "Micros", run -> {
                    Percentiles latencies = run.of(RunAnswer::latencyMicros);
                    return latencies == null ? null : percentile.apply(latencies);
                })
                .as(name + " µs", "%,.1f")
                .onlyOfRuns()
                .notInJson();
    }

    private Results<Run> results() {
        return new Results<>(
                columns(),
                runs,
                RATE,
                Run::cell,
                Run::turns,
                settings.times().slice(),
                settings.times().baseline(),
                "ratioOfPairs");
    }

    Report report() {
        Results<Run> results = results();
        String lead = String.format(
                Locale.ROOT,
                "keys of 8 bytes, values of %d; %d s of own time measured after %d s of warm-up",
                settings.valueBytes(),
                settings.times().seconds(),
                settings.times().warmup());
        return new Report(
                        "kv",
                        "Stores of sorted keys and values",
                        lead,
                        "Every engine has as many bytes of cache, and the operating system's besides. Scans count"
                                + " entries. Latencies are sampled.",
                        Environment.here(List.of()),
                        settings.asOptions())
                .results("runs", results)
                .summary(results)
                .chart(Chart.bars("Ratio with its 95 % interval", "work", "ratio", "times the baseline's operations/s"))
                .chart(Chart.bars("Operations a second", "work", RATE, "operations/s")
                        .logarithmic());
    }

    /** {@return the conclusion} */
    String conclusion(boolean good) {
        List<String> lines = new ArrayList<>(new Comparison<>(results(), "the operations").sentences());
        lines.add(good ? "Everything that was read was right." : "Not every run ended with right results, see above.");
        return String.join(System.lineSeparator(), lines);
    }
}
