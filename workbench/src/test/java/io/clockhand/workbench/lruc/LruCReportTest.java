// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.lruc.LruC.Setting;
import io.clockhand.workbench.lruc.RunAnswer.Counts;
import io.clockhand.workbench.lruc.RunAnswer.Moment;
import io.clockhand.workbench.pages.device.DeviceFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LruCReportTest {
    /** The third contender is not stable. */
    private static Run<Setting, String, RunAnswer> run(Cell<Setting, String> cell, long operations) {
        double late = cell.contender().equals("clock-c") ? operations : operations / 2.0;
        RunAnswer answer = new RunAnswer(
                2,
                new Counts(operations, operations / 10, new ComparedPool.Figures(operations / 30, operations / 4, 600)),
                new Percentiles(7_000, 8_000, 90_000),
                new Percentiles(0.5, 6_900, 8_000),
                new DeviceFigures(2, 1000, 600, 0.45, 90),
                75.5,
                List.of(new Moment(1, operations / 2.0), new Moment(2, late)),
                900,
                900);
        return new Run<>(cell, answer, null, null);
    }

    private final LruC experiment = SettingsTest.parse(
            "--schemes vanilla,vanilla-best,clock-c --threads 32,64 --seconds 2 --warmup 1 --repeat 2");

    /** Whose sweep has found that vanilla is best with 408 pages a second. */
    private List<Run<Setting, String, RunAnswer>> made() {
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
        return runs;
    }

    @Test
    void jsonHasRunsRatiosOfTheSameRepeatAndTheBestRateOfVanilla() throws IOException {
        JsonNode json = Experiments.json(experiment, made());

        JsonNode run = json.get("runs").get(2);
        assertFields(
                run,
                "scheme=clock-c device=ssd-a timeScale=10.0 threads=32 poolPercent=10.0 readWrite=2:1"
                        + " flushPagesPerSecond=null operationsPerSecond=1550.0 ratioToBaseline=3.1"
                        + " threadsPerChannel=0.25 utilisationPercent=45.0 missRatio=0.1 missP95Millis=8.0"
                        + " readsPerSecond=500.0 writesPerSecond=300.0 cpuIdlePercent=75.5 driftPercent=100.0"
                        + " stable=false");
        assertFields(run.get("latencyMicros"), "p95=8000.0");
        assertFields(run.get("operationLatencyMicros"), "p50=0.5");
        assertThat(run.get("readStallPercent").doubleValue()).isEqualTo(33, within(0.5));

        JsonNode ratio = json.get("summary").get(2).get("ratioToBaseline");
        assertThat(ratio.get("min").doubleValue()).isEqualTo(3.05, within(1e-9));
        assertThat(ratio.get("max").doubleValue()).isEqualTo(3.1, within(1e-9));

        assertFields(json.get("sweeps").get(0), "threads=32 poolPercent=10.0 readWrite=2:1 bestPagesPerSecond=408");
        assertThat(json.get("note").textValue())
                .contains("vanilla-best writes 408 pages/s (32 threads, pool 10 %, 2:1).");
    }

    @Test
    void conclusionHasRatiosLoadAndWhatIsNotStable() {
        assertThat(Experiments.conclusion(experiment, made(), 2, true).collect(Collectors.joining("\n")))
                .contains(
                        "clock-c against vanilla: 3.08 times the throughput with 32 threads (3.05 … 3.10 in 2 pairs;"
                                + " N/K 0.25); 3.08 times the throughput with 64 threads",
                        "Not stable, so that a longer run may give another figure: clock-c, 32 threads",
                        "every change was found in its page after the close.")
                .doesNotContain("vanilla against");
    }

    @Test
    void runThatHasFailedHasNoFigures() throws IOException {
        List<Cell<Setting, String>> cells = Experiments.plan(experiment).get(0);

        JsonNode json = Experiments.json(
                experiment, List.of(new Run<>(cells.get(0), null, null, null), run(cells.get(1), 1000)));

        assertFields(json.get("runs").get(0), "operationsPerSecond=null valid=false");
    }
}
