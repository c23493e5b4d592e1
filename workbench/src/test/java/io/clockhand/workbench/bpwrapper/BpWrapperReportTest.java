// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.duel.Rounds;
import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.References;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer.Counted;
import io.clockhand.workbench.options.ParsedOptions;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Played;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.report.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BpWrapperReportTest {
    private static final Memory MEMORY = Memory.of(8192, 4096, 8, 0, 1, 1L << 40);
    private static final Contender PLAIN = new Contender(Form.PLAIN, null, null);
    private static final Contender BOTH = new Contender(Form.BOTH, 64, 32);
    private static final Contender SPIN = new Contender(Form.SPIN, null, null);

    static Settings settings(String line) {
        return ParsedOptions.parse(new Settings(), Settings::check, line);
    }

    private static Settings timedSettings() {
        return settings(
                "--forms plain,both,spin --threads 2,8 --miss-percent 0,12.5 --seconds 1 --warmup 1 --repeat 2");
    }

    private static Cell<Setting, Contender> cell(Contender contender, int threads, int repeat) {
        return new Cell<>(new Setting("2q", threads, References.DBT2, 0), contender, repeat);
    }

    private static RunAnswer counted(long acquisitions, long contentions) {
        return new RunAnswer(
                null, new Counted(2_000_000, 1_500_000, 500_000, acquisitions, contentions, 7, 1_400_000), 0, null);
    }

    private static final RunAnswer TIMED_ANSWER =
            new RunAnswer(new Timed(0, 0, new Percentiles(0.1, 0.5, 2.25)), null, 0, null);

    /** Plain and spin take the lock for each reference, both for one in 32. */
    private static List<Run> duel(int threads, int repeat, long... operations) {
        List<Cell<Setting, Contender>> cells = Stream.of(PLAIN, BOTH, SPIN)
                .limit(operations.length)
                .map(c -> cell(c, threads, repeat))
                .toList();
        Rounds rounds = Played.inTurns(cells.stream().map(Cell::name).toList(), operations);
        return cells.stream()
                .map(cell -> new Run(
                        cell,
                        TIMED_ANSWER,
                        new Turns(rounds, cell.name()),
                        cell.contender().equals(BOTH) ? counted(62_500, 40) : counted(2_000_000, 40_000)))
                .toList();
    }

    private static BpWrapperReport timedReport() {
        List<Run> runs = new ArrayList<>();
        runs.addAll(duel(2, 1, 1_000_000, 2_000_000, 4_000_000));
        runs.addAll(duel(2, 2, 2_000_000, 4_000_000, 8_000_000));
        runs.addAll(duel(8, 1, 1_000_000, 900_000));
        runs.add(new Run(cell(SPIN, 8, 1), null, null, null));
        return new BpWrapperReport(timedSettings(), runs);
    }

    private static JsonNode json(BpWrapperReport report) throws IOException {
        return new ObjectMapper().readTree(report.report(MEMORY).json());
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = json(timedReport());

        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly("command", "version", "note", "environment", "options", "runs", "summary");
        assertThat(json.get("command").textValue()).isEqualTo("bp-wrapper");
        assertThat(json.get("runs").get(0).fieldNames())
                .toIterable()
                .contains(
                        "form",
                        "policy",
                        "threads",
                        "queueSize",
                        "threshold",
                        "accesses",
                        "operationsPerSecond",
                        "lockAcquisitionsPerMillion",
                        "contentionsPerMillion",
                        "hitRatio",
                        "stream",
                        "missPercent",
                        "repeat");
        JsonNode both = json.get("runs").get(1);
        assertThat(both.get("form").textValue()).isEqualTo("both");
        assertThat(both.get("queueSize").intValue()).isEqualTo(64);
        assertThat(both.get("lockAcquisitionsPerMillion").doubleValue()).isEqualTo(31_250);
        assertThat(both.get("contentionsPerMillion").doubleValue()).isEqualTo(20);
        assertThat(both.get("failedTriesPerMillion").doubleValue()).isEqualTo(3.5);
        assertThat(both.get("hitRatio").doubleValue()).isEqualTo(0.75);
        assertThat(json.get("options").fieldNames())
                .toIterable()
                .contains("forms", "policies", "threads", "queueSize", "threshold", "stream", "missPercent", "seed");
    }

    @Test
    void whatWasNotMeasuredIsNull() throws IOException {
        JsonNode runs = json(timedReport()).get("runs");

        assertThat(runs.get(0).get("queueSize").isNull()).isTrue();
        assertThat(runs.get(0).get("threshold").isNull()).isTrue();
        assertThat(runs.get(8).get("operationsPerSecond").isNull()).isTrue();
        assertThat(runs.get(8).get("hitRatio").isNull()).isTrue();
        assertThat(runs.get(8).get("valid").booleanValue()).isFalse();
    }

    @Test
    void wrongPageMakesARunInvalid() {
        RunAnswer wrong = new RunAnswer(null, counted(1, 0).counted(), 3, "page 1");

        assertThat(new Run(cell(PLAIN, 2, 1), TIMED_ANSWER, null, wrong).isValid())
                .isFalse();
        assertThat(new Run(cell(PLAIN, 2, 1), TIMED_ANSWER, null, counted(1, 0)).isValid())
                .isTrue();
    }

    @Test
    void ratiosAreOfTheFirstForm() {
        List<Results.Line<Run>> summary = timedReport().results(null).lines();

        assertThat(summary).hasSize(2 * 3);
        assertThat(summary.get(0).ratio()).isNull();
        assertThat(summary.get(1).ratio()).hasToString("2.00 (2.00 … 2.00)");
        assertThat(summary.get(1).pairs()).isEqualTo(2);
        assertThat(summary.get(5).ratio()).isNull();
    }

    @Test
    void tableShowsOnlyTheSettingsThatDiffer() {
        assertThat(timedReport().report(MEMORY).table().lines())
                .hasSize(1 + 1 + 6)
                .contains("In all runs: queue 64, threshold 32, policy 2q, stream dbt2, miss % 0")
                .anyMatch(line ->
                        line.matches("both +2 +3,000,000 +2,000,000 +4,000,000 +2.00 .2.00 … 2.00. +31,250 +20.0 +3.5"
                                + " +700,000 +75.00"))
                .anyMatch(line -> line.matches("spin +8( +-)+"));
    }

    @Test
    void csvHasALineForEveryRun() {
        assertThat(timedReport().report(MEMORY).csv().lines())
                .hasSize(1 + 9)
                .allMatch(line -> line.split(",", -1).length == 23)
                .contains("both,2q,2,64,32,dbt2,0.0,1,2000000,2000000.0,31250.0,20.0,3.5,700000.0,700000.0,0.75,0.1"
                        + ",0.5,2.25,4000000,0,true,")
                .contains("spin,2q,8,,,dbt2,0.0,1,,,,,,,,,,,,,,false,");
    }

    @Test
    void pageNeedsNoNetworkAndHasNoPlaceholderLeft() {
        String page = timedReport().report(MEMORY).page();

        assertThat(page).contains("Chart.js v", "--ink:", "#choices", "Contentions");
        assertThat(page)
                .doesNotContain("/*data*/", "/*chart.js*/", "/*report.css*/", "/*report.js*/", "/*title*/")
                .doesNotContain("<link", "<script src", "@import", "url(http");
    }

    @Test
    void conclusionComparesEveryFormWithTheFirstAndWithASpinLock() {
        assertThat(timedReport().conclusion(2, true).lines())
                .contains(
                        "both against plain: times the throughput: 2.00 with 2 threads (95 % interval 2.00 …"
                                + " 2.00), 0.90 with 8 threads (95 % interval 0.90 … 0.90), the lock taken 1/32"
                                + " as often, contentions 1/1,000 as many.",
                        "both against spin: 0.50 times the throughput (95 % interval 0.50 … 0.50),"
                                + ""
                                + " the lock taken 1/32 as often, contentions 1/1,000 as many.")
                .noneMatch(line -> line.startsWith("plain against"))
                .anyMatch(line -> line.startsWith("This machine has 2 processors"))
                .endsWith("Every page fixed was the right one.");
        assertThat(timedReport().conclusion(8, false).lines())
                .noneMatch(line -> line.startsWith("This machine has"))
                .endsWith("Not every run ended with right pages, see above.");
    }

    @Test
    void manySettingsAreSummedUp() {
        List<Run> runs = new ArrayList<>();
        for (int threads = 1; threads <= 6; threads++) {
            runs.addAll(duel(threads, 1, 1_000_000, 1_000_000L * threads));
        }

        assertThat(new BpWrapperReport(timedSettings(), runs)
                        .conclusion(8, true)
                        .lines())
                .contains("both against plain: 1.00 … 6.00 times the throughput in 6 settings, least with 1 thread"
                        + " (95 % interval 1.00 … 1.00, no difference shown), the lock taken 1/32 as often,"
                        + " contentions 1/1,000 as many.");
    }

    @Test
    void formsOfASettingAreOneGroup() {
        List<List<Cell<Setting, Contender>>> plan = timedSettings().plan();

        assertThat(plan).hasSize(2 * 2 * 2);
        assertThat(plan.get(7).stream().map(Cell::toString))
                .containsExactly(
                        "plain, 2q, 8 threads, dbt2, 12.5 % misses, repeat 2",
                        "both, queue size 64, threshold 32, 2q, 8 threads, dbt2, 12.5 % misses, repeat 2",
                        "spin, 2q, 8 threads, dbt2, 12.5 % misses, repeat 2");
        assertThat(plan.get(7).get(1).fileName("bp-wrapper"))
                .isEqualTo("bp-wrapper-both-queue-size-64-threshold-32-2q-8-threads-dbt2-12.5-misses-repeat-2");
    }

    @Test
    void queuesMultiplyOnlyFormsThatHaveThemAndNoThresholdIsGreaterThanItsQueue() {
        List<Integer> sizes = List.of(1, 8, 64);
        List<Integer> thresholds = List.of(Settings.HALF, 4, 32);

        assertThat(Contender.all(List.of(Form.PLAIN, Form.BATCH, Form.MODERN), sizes, thresholds))
                .extracting(Contender::toString)
                .containsExactly(
                        "plain",
                        "batch, queue size 1, threshold 1",
                        "batch, queue size 8, threshold 4",
                        "batch, queue size 64, threshold 32",
                        "batch, queue size 64, threshold 4",
                        "modern");
        assertThat(Contender.leftOut(sizes, thresholds))
                .containsExactly(
                        "threshold 4 is greater than queue size 1",
                        "threshold 32 is greater than queue size 1",
                        "threshold 32 is greater than queue size 8");
    }

    @Test
    void streamHasAQuarterOfThePagesIfThereAreMisses() {
        assertThat(timedSettings().pages(0)).isEqualTo(8192);
        assertThat(timedSettings().pages(0.1)).isEqualTo(2048);
    }
}
