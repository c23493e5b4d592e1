// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.assertNumbers;
import static io.clockhand.workbench.experiment.Experiments.names;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.bpwrapper.BpWrapper.Setting;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer.Counted;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.report.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BpWrapperTest {
    private static final Contender PLAIN = new Contender(Form.PLAIN, null, null);
    private static final Contender BOTH = new Contender(Form.BOTH, 64, 32);
    private static final Contender SPIN = new Contender(Form.SPIN, null, null);
    private static final RunAnswer TIMED =
            new RunAnswer(new Timed(0, 0, new Percentiles(0.1, 0.5, 2.25)), null, 0, null);

    @TempDir
    private Path directory;

    // --- the report of made-up runs ----------------------------------------------------------------------------------

    private static BpWrapper experiment() {
        return Experiments.parse(
                new BpWrapper(),
                "--forms plain,both,spin --threads 2,8 --miss-percent 0,12.5 --seconds 1 --warmup 1 --repeat 2");
    }

    private static Cell<Setting, Contender> cell(Contender contender, int threads, int repeat) {
        return new Cell<>(new Setting("2q", threads, References.DBT2, 0), contender, repeat);
    }

    private static RunAnswer counted(long acquisitions, long contentions) {
        return new RunAnswer(null, new Counted(1_500_000, 500_000, acquisitions, contentions, 7, 1_400_000), 0, null);
    }

    /** Plain and spin take the lock for each reference, both for one in 32. */
    private static List<Run<Setting, Contender, RunAnswer>> duel(int threads, int repeat, long... operations) {
        return Experiments.duel(
                Stream.of(PLAIN, BOTH, SPIN)
                        .limit(operations.length)
                        .map(contender -> cell(contender, threads, repeat))
                        .toList(),
                TIMED,
                contender -> contender.equals(BOTH) ? counted(62_500, 40) : counted(2_000_000, 40_000),
                operations);
    }

    private static List<Run<Setting, Contender, RunAnswer>> runs() {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>();
        runs.addAll(duel(2, 1, 1_000_000, 2_000_000, 4_000_000));
        runs.addAll(duel(2, 2, 2_000_000, 4_000_000, 8_000_000));
        runs.addAll(duel(8, 1, 1_000_000, 900_000));
        runs.add(new Run<>(cell(SPIN, 8, 1), null, null, null));
        return runs;
    }

    @Test
    void jsonHasTheFieldsOfTheConventionsAndNullForWhatWasNotMeasured() throws IOException {
        RunAnswer wrong = new RunAnswer(null, counted(1, 0).counted(), 3, "page 1");
        List<Run<Setting, Contender, RunAnswer>> made = runs();
        made.add(new Run<>(cell(PLAIN, 8, 2), TIMED, null, wrong));

        JsonNode json = Experiments.json(experiment(), made);

        assertThat(names(json)).isEqualTo("command version note environment options runs summary");
        assertThat(json.get("command").textValue()).isEqualTo("bp-wrapper");
        JsonNode runs = json.get("runs");
        assertThat(names(runs.get(0))).startsWith("form policy threads queueSize threshold stream missPercent");
        assertThat(runs.get(0).get("queueSize").isNull()).isTrue();
        assertFields(
                runs.get(1),
                "form=both queueSize=64 lockAcquisitionsPerMillion=31250.0 contentionsPerMillion=20.0"
                        + " failedTriesPerMillion=3.5 hitRatio=0.75");
        assertFields(runs.get(8), "operationsPerSecond=null hitRatio=null valid=false");
        assertFields(runs.get(9), "wrongPages=3 valid=false");
        assertThat(json.get("options").fieldNames())
                .toIterable()
                .contains("forms", "policies", "threads", "queueSize", "threshold", "stream", "missPercent", "seed");
    }

    @Test
    void tableShowsOnlyTheSettingsThatDiffer() {
        assertThat(Experiments.report(experiment(), runs()).table().lines())
                .hasSize(1 + 1 + 6)
                .contains("In all runs: queue 64, threshold 32, policy 2q, stream dbt2, miss % 0")
                .anyMatch(line ->
                        line.matches("both +2 +3,000,000 +2,000,000 +4,000,000 +2.00 .2.00 … 2.00. +31,250 +20.0 +3.5"
                                + " +700,000 +75.00"))
                .anyMatch(line -> line.matches("spin +8( +-)+"));
    }

    @Test
    void pageNeedsNoNetworkAndHasNoPlaceholderLeft() {
        assertThat(Experiments.report(experiment(), runs()).page())
                .contains("Chart.js v", "--ink:", "#choices", "Contentions")
                .doesNotContain("/*data*/", "/*chart.js*/", "/*report.css*/", "/*report.js*/", "/*title*/")
                .doesNotContain("<link", "<script src", "@import", "url(http");
    }

    @Test
    void conclusionComparesEveryFormWithTheFirst() {
        assertThat(Experiments.conclusion(experiment(), runs(), 2, true))
                .contains("both against plain: times the throughput: 2.00 with 2 threads (95 % interval 2.00 …"
                        + " 2.00), 0.90 with 8 threads (95 % interval 0.90 … 0.90).")
                .noneMatch(line -> line.startsWith("plain against"))
                .anyMatch(line -> line.startsWith("This machine has 2 processors"))
                .endsWith("Every page fixed was the right one.");
        assertThat(Experiments.conclusion(experiment(), runs(), 8, false))
                .noneMatch(line -> line.startsWith("This machine has"))
                .endsWith("Not every run ended with right pages, see above.");
    }

    @Test
    void conclusionSumsUpManySettings() {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>();
        for (int threads = 1; threads <= 6; threads++) {
            runs.addAll(duel(threads, 1, 1_000_000, 1_000_000L * threads));
        }

        assertThat(Experiments.conclusion(experiment(), runs, 8, true))
                .contains("both against plain: 1.00 … 6.00 times the throughput in 6 settings, with intervals in the"
                        + " table.");
    }

    @Test
    void queuesMultiplyOnlyFormsThatHaveThem() {
        assertThat(Contender.all(List.of(Form.PLAIN, Form.BATCH, Form.MODERN), List.of(1, 8, 64), List.of("half", "4")))
                .extracting(Contender::toString)
                .containsExactly(
                        "plain",
                        "batch, queue size 1, threshold 1",
                        "batch, queue size 1, threshold 4",
                        "batch, queue size 8, threshold 4",
                        "batch, queue size 64, threshold 32",
                        "batch, queue size 64, threshold 4",
                        "modern");
    }

    // --- the whole command, with child JVMs --------------------------------------------------------------------------

    private JsonNode run(String line) throws IOException {
        Experiments.Output output =
                Experiments.run(new BpWrapper(), line + " --forms batch --threads 2", directory.resolve("out"));
        assertThat(output.out()).contains("Every page fixed was the right one.");
        return output.runs().get(0);
    }

    @Test
    void batchesTakeTheLockForAThirtiethOfTheHits() throws IOException {
        JsonNode run = run("--policies 2q(out=0.6,in=0.3) --accesses 64000 --warmup-accesses 1000");

        assertFields(run, "policy=2q(in=0.3,out=0.6) accesses=64000 hitRatio=1.0 operationsPerSecond=null");
        assertThat(run.get("lockAcquisitionsPerMillion").doubleValue()).isBetween(1.0, 1_000_000 / 30.0);
    }

    @Test
    void timedRunHasThroughputAndCounts() throws IOException {
        JsonNode run = run("--miss-percent 50 --seconds 1 --warmup 0");

        assertNumbers(run, "operationsPerSecond", "hitRatio", "lockAcquisitionsPerMillion", "contentionsPerMillion");
        assertThat(run.get("latencyMicros").has("p99")).isTrue();
    }
}
