// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.assertNumbers;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.EXCLUSIVE_LOCK;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.EXCLUSIVE_SPIN;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.sharedupdate.SharedUpdate.Contender;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Rows.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.Trial.Load;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer.Counted;
import io.clockhand.workbench.sharedupdate.driver.Trial.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedUpdateTest {
    private static final Setting SETTING =
            new Setting(Load.ROWS, LogCost.parse("cpu:1us"), RowLayout.PADDED, Long.BYTES, Long.BYTES);
    private static final List<Contender> CONTENDERS = List.of(
            new Contender(EXCLUSIVE_LOCK, 1),
            new Contender(EXCLUSIVE_LOCK, 2),
            new Contender(EXCLUSIVE_SPIN, 1),
            new Contender(EXCLUSIVE_SPIN, 2),
            new Contender(SHARED, 1),
            new Contender(SHARED, 2));
    private static final RunAnswer COUNTED = new RunAnswer(0, 1, null, new Counted(1_000_000, 250, 1.25, null), null);

    @TempDir
    private Path directory;

    // --- the report of made-up runs ----------------------------------------------------------------------------------

    private static SharedUpdate experiment() {
        return Experiments.parse(new SharedUpdate(), "--threads 1,2 --seconds 1");
    }

    private static List<Run<Setting, Contender, RunAnswer>> duel(int repeat, String wrong, long... operations) {
        return Experiments.duel(
                CONTENDERS.stream()
                        .map(contender -> new Cell<>(SETTING, contender, repeat))
                        .toList(),
                new RunAnswer(0, 0, null, null, wrong),
                contender -> COUNTED,
                operations);
    }

    private static List<Run<Setting, Contender, RunAnswer>> runs() {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>(duel(1, null, 500, 300, 600, 200, 450, 1_000));
        runs.addAll(duel(2, null, 500, 300, 400, 200, 450, 1_000));
        runs.addAll(duel(3, null, 500, 300, 400, 200, 450, 1_000));
        return experiment().completed(runs);
    }

    @Test
    void bestIsThatOfAllRepeatsAndThreads() throws IOException {
        List<Run<Setting, Contender, RunAnswer>> best =
                runs().stream().filter(run -> run.contender().bestOf() != null).toList();

        assertThat(best).hasSize(3 * 2).allSatisfy(run -> {
            assertThat(run.contender().bestOf()).isEqualTo(new Contender(EXCLUSIVE_LOCK, 1));
            assertThat(run.operationsPerSecond()).isEqualTo(500);
        });
        assertThat(best).extracting(run -> run.contender().threads()).containsExactly(1, 2, 1, 2, 1, 2);
        assertFields(
                Experiments.json(experiment(), runs()).get("runs").get(0),
                "protocol=exclusive-best threads=1 updatesPerSecond=500.0 bestOf=exclusive-lock, 1 thread valid=true");
    }

    @Test
    void conclusionNamesTheBestAndHasRatiosToIt() {
        assertThat(Experiments.conclusion(experiment(), runs(), 2, true))
                .contains(
                        "The best exclusive one with log cpu:1us, padded rows of 8 bytes, page LSN of 8 bytes:"
                                + " exclusive-lock, 1 thread, 500 updates a second.",
                        "exclusive-lock against exclusive-best: times the throughput: 1.00 with 1 thread (95 % interval"
                                + " 1.00 … 1.00, no difference shown), 0.60 with 2 threads (95 % interval 0.60"
                                + " … 0.60).",
                        "shared against exclusive-best: times the throughput: 0.90 with 1 thread (95 % interval 0.90"
                                + " … 0.90), 2.00 with 2 threads (95 % interval 2.00 … 2.00).")
                .endsWith("Every page was right in the end.");
        assertThat(Experiments.conclusion(experiment(), runs(), 2, false))
                .endsWith("Not every run ended with a right page, see above.");
    }

    @Test
    void otherBaselineIsComparedWithTheBestToo() {
        SharedUpdate experiment =
                Experiments.parse(new SharedUpdate(), "--threads 1,2 --seconds 1 --baseline exclusive-spin");

        assertThat(Experiments.conclusion(experiment, experiment.completed(duel(1, null, 5, 3, 6, 2, 4, 10)), 2, true))
                .anyMatch(line -> line.startsWith("exclusive-best against exclusive-spin: times the throughput: 1.00"));
    }

    @Test
    void wrongPageMakesTheRunInvalidAndCountsForTheBest() {
        List<Run<Setting, Contender, RunAnswer>> runs = experiment().completed(duel(1, "row 3", 5, 3, 6, 2, 4, 10));

        assertThat(runs).noneMatch(run -> Experiments.isValid(experiment(), run));
        assertThat(runs.get(0).contender().bestOf()).isEqualTo(new Contender(EXCLUSIVE_SPIN, 1));
    }

    @Test
    void bestHasNoFiguresIfEveryExclusiveRunHasFailed() {
        List<Run<Setting, Contender, RunAnswer>> runs = experiment()
                .completed(CONTENDERS.stream()
                        .map(contender -> new Run<Setting, Contender, RunAnswer>(
                                new Cell<>(SETTING, contender, 1), null, null, null))
                        .toList());

        assertThat(runs).hasSize(2 + CONTENDERS.size());
        assertThat(Experiments.isValid(experiment(), runs.get(0))).isFalse();
        assertThat(Experiments.conclusion(experiment(), runs, 2, false)).hasSize(1);
        assertThat(Experiments.report(experiment(), runs).json()).contains("\"updatesPerSecond\" : null");
    }

    // --- the whole command, with child JVMs --------------------------------------------------------------------------

    private Experiments.Output run(String line) throws IOException {
        return Experiments.run(new SharedUpdate(), line + " --seconds 1 --warmup 0", directory.resolve("out"));
    }

    @Test
    void updatesOfBytesAreCountedAndChecked() throws IOException {
        duel("shared");
    }

    @Tag("ci")
    @Test
    void contendersOfADuelAreComparedWithTheBestExclusiveOne() throws IOException {
        Experiments.Output output = duel("exclusive-lock", "exclusive-spin", "shared");

        assertThat(output.runs().get(0).get("bestOf").textValue()).startsWith("exclusive-");
        assertThat(output.json().get("summary").get(3).get("ratio").has("value"))
                .isTrue();
        assertThat(output.out()).contains("The best exclusive one", "shared against exclusive-best");
    }

    private Experiments.Output duel(String... protocols) throws IOException {
        Experiments.Output output = run("--threads 2 --protocols " + String.join(",", protocols)
                + " --log cpu:0.4us --row-bytes 1 --row-layout interleaved");

        assertThat(output.runs("protocol")).endsWith(protocols);
        for (JsonNode run : output.runs()) {
            assertNumbers(run, "updatesPerSecond", "logMicros", "latchWaits");
            assertFields(run, "threads=2 log=cpu:0.4us rowLayout=interleaved rowBytes=1 pageLsnBytes=8 valid=true");
        }
        assertThat(output.out()).contains("Every page was right in the end.");
        return output;
    }

    @Tag("ci")
    @Test
    void contendersThatWaitRunOneAfterTheOther() throws IOException {
        Experiments.Output output = run("--protocols exclusive-lock,shared --threads 4 --log wait:20us --page-lsn 10");

        assertThat(output.runs("protocol")).containsExactly("exclusive-lock", "shared");
        for (JsonNode run : output.runs()) {
            assertNumbers(run, "logMicros", "latchWaits", "cpuPercent");
        }
        JsonNode shared = output.json().get("summary").get(1);
        assertThat(shared.get("ratio").isNull()).isTrue();
        assertThat(shared.get("ratioOfPairs").has("median")).isTrue();
        assertThat(output.out()).contains("shared against exclusive-lock, one after the other");
    }

    @Tag("ci")
    @Test
    void allocationsAreComparedWithAndWithoutSharedUpdates() throws IOException {
        Experiments.Output output = run("--load allocate --threads 4");

        assertThat(output.runs("protocol")).containsExactly("exclusive-latch", "shared");
        assertThat(output.runs("log")).containsOnly("wait:20us");
        assertThat(output.runs().get(0).get("rowLayout").isNull()).isTrue();
        for (JsonNode run : output.runs()) {
            assertNumbers(run, "latchWaits", "waitingThreads", "cpuPercent", "secondsPerMillion");
        }
        assertThat(output.json().get("options").get("load").textValue()).isEqualTo("allocate");
    }
}
