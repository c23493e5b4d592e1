// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.ParsedOptions;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.tpcc.check.Consistency;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.tpcc.transactions.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TpccReportTest {
    private static final Pool POOL = new Pool(700, 700, "512m");

    static Settings settings(String line) {
        return ParsedOptions.parse(
                new Settings(), (settings, usage) -> settings.check(usage, Installation.here()), line);
    }

    private static RunAnswer answer(Double tpmC) {
        Map<String, Percentiles> latencies = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            latencies.put(kind.jsonName(), tpmC == null ? null : new Percentiles(1, 2, 3));
        }
        return new RunAnswer(
                tpmC,
                9L,
                0L,
                0L,
                latencies,
                690,
                690,
                Consistency.asFlags(Map.of()),
                Map.of(),
                List.of(),
                null,
                null,
                null,
                tpmC == null ? "broken off" : null);
    }

    private static Run run(String cache, int terminals, int repeat, Double tpmC) {
        return new Run(new Cell<>(new Setting(terminals), Contender.of(cache), repeat), answer(tpmC), true);
    }

    private static TpccReport report() {
        List<Run> runs = new ArrayList<>();
        runs.add(run("derby", 1, 1, 100.0));
        runs.add(run("nb-gclock3", 1, 1, 110.0));
        runs.add(run("derby", 1, 2, 200.0));
        runs.add(run("nb-gclock3", 1, 2, 180.0));
        runs.add(run("derby", 4, 1, 300.0));
        runs.add(run("nb-gclock3", 4, 1, null));
        return report(runs);
    }

    private static TpccReport report(List<Run> runs) {
        RunAnswer counted =
                new RunAnswer(1.0, 4L, null, null, null, null, null, null, Map.of(), null, 0.9, 10L, null, null);
        Run countedRun = new Run(new Cell<>(new Setting(1), Contender.of("derby"), 0), counted, true);
        return new TpccReport(settings("--heap 512m"), POOL, runs, List.of(countedRun));
    }

    private static JsonNode json(TpccReport report) throws IOException {
        return new ObjectMapper().readTree(report.report().json());
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = json(report());

        assertThat(json.fieldNames())
                .toIterable()
                .contains("command", "version", "environment", "options", "runs", "counted", "summary");
        assertThat(json.get("environment").fieldNames())
                .toIterable()
                .containsExactly("cpu", "cores", "memoryBytes", "os", "jdk", "jvmFlags", "date");
        JsonNode run = json.get("runs").get(0);
        assertThat(run.fieldNames())
                .toIterable()
                .containsExactly(
                        "cache",
                        "warehouses",
                        "terminals",
                        "repeat",
                        "poolPages",
                        "durability",
                        "seconds",
                        "tpmC",
                        "transactions",
                        "retries",
                        "errors",
                        "latencyMicros",
                        "maxResidentPages",
                        "valid",
                        "consistency");
        assertThat(run.get("latencyMicros").fieldNames())
                .toIterable()
                .containsExactly("newOrder", "payment", "orderStatus", "delivery", "stockLevel");
        assertThat(run.get("latencyMicros").get("payment").fieldNames())
                .toIterable()
                .containsExactly("p50", "p95", "p99");
        assertThat(run.get("consistency").fieldNames())
                .toIterable()
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12");
        assertThat(json.get("counted").get(0).fieldNames())
                .toIterable()
                .containsExactly("cache", "terminals", "hitRatio", "pageReads", "pageWrites", "transactions");
        assertThat(json.get("summary").get(0).fieldNames())
                .toIterable()
                .containsExactly("cache", "terminals", "tpmC", "ratioToDerby", "pairs");
        assertThat(json.get("note").textValue()).contains("Not an audited TPC-C result");
    }

    @Test
    void ratiosAreOfPairedRepeats() throws IOException {
        assertThat(report().results().lines().get(1).ratio()).isEqualTo(new Spread(0.9, 1.0, 1.1));
        assertThat(report().results().lines().get(0).ratio()).isNull();
        assertThat(json(report())
                        .get("summary")
                        .get(0)
                        .get("tpmC")
                        .get("median")
                        .doubleValue())
                .isEqualTo(150);
    }

    @Test
    void whatWasNotMeasuredIsNull() throws IOException {
        JsonNode json = json(report());

        assertThat(json.get("summary").get(3).get("tpmC").isNull()).isTrue();
        assertThat(json.get("summary").get(3).get("ratioToDerby").isNull()).isTrue();
        assertThat(json.get("runs").get(5).get("tpmC").isNull()).isTrue();
        assertThat(json.get("counted").get(0).get("pageWrites").isNull()).isTrue();
        assertThat(report().report().table()).contains(" -");
    }

    @Test
    void csvHasALineForEveryRun() {
        assertThat(report().report().csv().lines()).hasSize(7).allMatch(line -> line.split(",", -1).length == 29);
    }

    @Test
    void pageNeedsNoNetwork() {
        String page = report().report().page();

        assertThat(page).contains("Chart.js v").doesNotContain("/*data*/", "/*chart.js*/");
        assertThat(page).doesNotContain("<link", "<script src", "@import", "url(http");
    }

    @Test
    void tableHasALineForEachCacheAndNumberOfTerminals() {
        assertThat(report().report().table().lines())
                .hasSize(1 + 4)
                .anyMatch(
                        line -> line.matches("cache +terminals +tpmC +min +max +to derby +retries +errors +hits % .*"))
                .anyMatch(line -> line.matches("derby +1 +150 +100 +200 +- +0 +0 +90.00 +2.500 +- +690"))
                .anyMatch(line -> line.matches("nb-gclock3 +1 +145 +110 +180 +1.00 .0.90 … 1.10. +0 +0( +-)+ +690"))
                .anyMatch(line -> line.matches("nb-gclock3 +4( +-)+ +0 +0( +-)+ +690"));
    }

    @Test
    void conclusionComparesEachCacheWithDerbys() {
        assertThat(report().conclusion(true, 0).lines())
                .containsExactly(
                        "nb-gclock3 against derby: 1.00 times the new-orders a minute (0.90 … 1.10 in 2 pairs of runs,"
                                + " no difference shown).",
                        "All twelve consistency conditions held after every run.");
        assertThat(report().conclusion(false, 0)).endsWith("conditions intact, see above.");
    }

    @Test
    void conclusionCountsThePairsThatSucceeded() {
        List<Run> runs = new ArrayList<>();
        for (int repeat = 1; repeat <= 6; repeat++) {
            runs.add(run("derby", 1, repeat, 100.0));
            runs.add(run("nb-gclock3", 1, repeat, repeat == 6 ? null : 110.0));
        }

        assertThat(report(runs).conclusion(true, 0)).contains("(1.10 … 1.10 in 5 pairs of runs).");
        assertThat(report(runs.subList(0, 8)).conclusion(true, 0))
                .contains("(1.10 … 1.10 in 4 pairs of runs, too few to claim a difference).");
    }

    @Test
    void conclusionSaysThatThePoolWasFilling() {
        assertThat(report().conclusion(true, 3))
                .endsWith("In 3 of 7 runs the pool was still filling when measuring began.");
    }

    @Test
    void runThatBrokeOffOrHoldsTooManyPagesIsNotValid() throws IOException {
        Run overfull = new Run(run("derby", 1, 1, 100.0).cell(), answer(100.0), false);

        JsonNode runs = json(report(List.of(run("derby", 1, 1, 100.0), overfull, run("derby", 1, 2, null))))
                .get("runs");

        assertThat(runs.findValues("valid").stream().map(JsonNode::booleanValue))
                .containsExactly(true, false, false);
        assertThat(report(List.of(overfull)).report().page()).contains("{\n      \"bad\" : \"690\"");
    }

    @Test
    void tableShowsInputAndOutputPerTransaction() {
        assertThat(report().report().table()).contains("reads/tx", "2.500");
        assertThat(settings("").asOptions()).containsEntry("countedSeconds", 5);
    }

    @Test
    void contendersAlternateWithinEveryRepeat() {
        assertThat(settings("").plan().stream()
                        .filter(cell -> cell.setting().terminals() == 4 && !cell.onlyCounts())
                        .map(cell -> cell.contender().name() + cell.repeat()))
                .containsExactly("derby1", "nb-gclock31", "derby2", "nb-gclock32");
        assertThat(settings("").plan()).hasSize(8 + 4);
    }

    @Test
    void bareCommandEndsWithinSixMinutes() {
        assertThat(Estimate.seconds(settings(""), false)).isLessThanOrEqualTo(360);
    }

    @Test
    void poolIsAShareOfTheData() {
        assertThat(settings("").pool(70_000, 1L << 30)).isEqualTo(new Pool(14_000, 14_000, "640m"));
        assertThat(settings("--heap 512m").pool(10, 1L << 30)).isEqualTo(new Pool(40, 10, "512m"));
    }

    @Test
    void heapThatNoMachineOfThisSizeHasIsRefused() {
        assertThatThrownBy(() -> settings("").pool(7_000_000, 8L << 30))
                .hasMessageStartingWith("a run needs a heap of 23,3")
                .hasMessageContaining("this machine has 8,590 MB of memory")
                .hasMessageEndingWith("pool of 1,400,000 pages, so lower --pool-percent or --warehouses");
        assertThatThrownBy(() -> settings("--heap 9g").pool(70, 8L << 30)).hasMessageEndingWith("lower --heap");
    }
}
