// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.lruc.RunAnswer.Counts;
import io.clockhand.workbench.lruc.RunAnswer.Latency;
import io.clockhand.workbench.lruc.RunAnswer.Moment;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.DeviceFigures.Requests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LruCReportTest {
    /** Runs that were made up. */
    private record Made(LruC experiment, List<Run<Setting, String, RunAnswer>> runs) {
        Report report() {
            return Experiments.report(experiment, runs);
        }

        JsonNode json() throws IOException {
            return Experiments.json(experiment, runs);
        }

        String conclusion(boolean good) {
            return Experiments.conclusion(experiment, runs, 2, good).collect(Collectors.joining("\n"));
        }
    }

    /** The third contender is not stable. */
    private static Run<Setting, String, RunAnswer> run(Cell<Setting, String> cell, long operations) {
        double late = cell.contender().equals("clock-c") ? operations : operations / 2.0;
        RunAnswer answer = new RunAnswer(
                2,
                new Counts(
                        operations,
                        operations / 10,
                        new ComparedPool.Figures(operations / 30, operations / 4, 600, 30, 600, 50, 4_000_000)),
                new Latency(7_000, 8_000, 90_000, 7_500),
                new Latency(0.5, 6_900, 8_000, 750),
                new DeviceFigures(
                        2,
                        new Requests(1000, 500, 6_800, 7_400),
                        new Requests(600, 300, 40_000, 60_000),
                        0.45,
                        20,
                        3,
                        90),
                75.5,
                List.of(new Moment(1, operations / 2.0, 50, 3, 300), new Moment(2, late, 50, 3, 300)),
                900,
                900,
                0.5);
        return new Run<>(cell, answer, null, null);
    }

    /** Whose sweep has found that vanilla is best with 408 pages a second. */
    private static Made made() {
        LruC experiment = SettingsTest.parse(
                "--schemes vanilla,vanilla-best,clock-c --threads 32,64 --seconds 2 --warmup 1 --repeat 2");
        List<Run<Setting, String, RunAnswer>> runs = new ArrayList<>();
        for (List<Cell<Setting, String>> group : Experiments.plan(experiment)) {
            experiment.explore(
                    group.get(0).setting(),
                    (cell, order) -> cell.contender().equals("vanilla:408")
                            ? run(cell, 1500).timed()
                            : null);
            for (Cell<Setting, String> cell : group) {
                long base = 1000L * cell.repeat();
                runs.add(run(
                        cell,
                        switch (cell.contender()) {
                            case "vanilla" -> base;
                            case "vanilla-best" -> base * 2;
                            default -> base * 3 + 100;
                        }));
            }
        }
        return new Made(experiment, runs);
    }

    @Test
    void jsonHasTheFieldsOfEveryRun() throws IOException {
        JsonNode run = made().json().get("runs").get(2);

        assertFields(
                run,
                "scheme=clock-c device=ssd-a timeScale=10.0 threads=32 poolPercent=10.0 readWrite=2:1"
                        + " flushPagesPerSecond=null operationsPerSecond=1550.0 ratioToBaseline=3.1"
                        + " threadsPerChannel=0.25 utilisationPercent=45.0 missRatio=0.1 mutexWaits=50"
                        + " mutexWaitMillisPerSecond=2.0 readsPerSecond=500.0 writesPerSecond=300.0"
                        + " pagesPerBatch=20.0 cpuIdlePercent=75.5 driftPercent=100.0 stable=false");
        assertFields(run.get("latencyMicros"), "p95=8000.0");
        assertFields(run.get("operationLatencyMicros"), "p50=0.5");
        assertThat(run.get("readStallPercent").doubleValue()).isEqualTo(33, within(0.5));
        assertThat(run.get("framesScannedPerMiss").doubleValue()).isEqualTo(2.5, within(0.1));
    }

    @Test
    void ratiosAreThoseOfTheSameRepeat() throws IOException {
        JsonNode summary = made().json().get("summary").get(2);

        assertThat(summary.get("ratioToBaseline").get("min").doubleValue()).isEqualTo(3.05, within(1e-9));
        assertThat(summary.get("ratioToBaseline").get("max").doubleValue()).isEqualTo(3.1, within(1e-9));
        assertThat(summary.get("pairs").intValue()).isEqualTo(2);
        assertThat(made().report().table()).contains("3.08 (3.05 … 3.10)", "to vanilla", "N/K");
    }

    @Test
    void reportNamesTheBestRateOfVanilla() throws IOException {
        JsonNode json = made().json();

        assertFields(
                json.get("sweeps").get(0),
                "device=ssd-a threads=32 poolPercent=10.0 readWrite=2:1 bestPagesPerSecond=408");
        assertThat(json.get("note").textValue())
                .contains("vanilla-best writes 408 pages/s (ssd-a, 32 threads, pool 10 %, 2:1).");
    }

    @Test
    void conclusionHasRatiosLoadAndWhatIsNotStable() {
        assertThat(made().conclusion(true))
                .contains(
                        "clock-c against vanilla: 3.08 times the throughput with 32 threads (3.05 … 3.10 in 2 pairs;"
                                + " N/K 0.25, 45 % busy); 3.08 times the throughput with 64 threads",
                        "Not stable, so that a longer run may give another figure: clock-c, ssd-a, 32 threads",
                        "every change was found in its page after the close.")
                .doesNotContain("vanilla against");
    }

    @Test
    void runThatHasFailedHasNoFigures() throws IOException {
        LruC experiment = SettingsTest.parse("--schemes vanilla-best,clock-c --threads 32");
        List<Cell<Setting, String>> cells = Experiments.plan(experiment).get(0);
        Made report = new Made(experiment, List.of(new Run<>(cells.get(0), null, null, null), run(cells.get(1), 1000)));

        assertFields(report.json().get("runs").get(0), "operationsPerSecond=null valid=false");
        assertThat(report.conclusion(false)).contains("Not every run ended with right pages");
    }
}
