// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Durability;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.tpcc.TpccReport.Counted;
import io.clockhand.workbench.tpcc.TpccReport.Run;
import io.clockhand.workbench.tpcc.check.Consistency;
import io.clockhand.workbench.tpcc.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.tpcc.transactions.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TpccReportTest {
    private static final Settings SETTINGS = new Settings(
            2,
            List.of(1, 4),
            List.of(Contender.of("derby"), Contender.of("nb-gclock3")),
            15,
            5,
            2,
            20,
            null,
            Durability.TEST,
            Path.of("out"),
            Path.of("data"),
            false,
            "512m",
            "10.16.1.1",
            1,
            false,
            false);

    private static Run run(String cache, int terminals, int repeat, Double tpmC) {
        Map<String, Percentiles> latencies = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            latencies.put(kind.jsonName(), tpmC == null ? null : new Percentiles(1, 2, 3));
        }
        return new Run(
                cache,
                2,
                terminals,
                repeat,
                700,
                "test",
                15,
                tpmC,
                9L,
                0L,
                0L,
                latencies,
                690,
                tpmC != null,
                Consistency.asFlags(Map.of()));
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
        List<Counted> counted = List.of(new Counted("derby", 1, 0.9, 10L, null, 4L));
        return new TpccReport(
                "tpcc",
                "test",
                TpccReport.NOTE,
                Environment.here(List.of("-Xmx512m")),
                SETTINGS.asOptions(),
                Map.of(),
                runs,
                counted,
                TpccReport.summarize(SETTINGS, runs));
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = new ObjectMapper().readTree(Renderings.json(report()));

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
                .containsExactly("cache", "terminals", "tpmC", "ratioToDerby");
        assertThat(json.get("note").textValue()).contains("Not an audited TPC-C result");
    }

    @Test
    void ratiosAreOfPairedRepeats() {
        assertThat(report().summary().get(1).ratioToDerby()).isEqualTo(new Spread(0.9, 1.0, 1.1));
        assertThat(report().summary().get(0).tpmC()).isEqualTo(new Spread(100, 150, 200));
    }

    @Test
    void whatWasNotMeasuredIsNull() throws IOException {
        JsonNode json = new ObjectMapper().readTree(Renderings.json(report()));

        assertThat(json.get("summary").get(3).get("tpmC").isNull()).isTrue();
        assertThat(json.get("summary").get(3).get("ratioToDerby").isNull()).isTrue();
        assertThat(json.get("runs").get(5).get("tpmC").isNull()).isTrue();
        assertThat(json.get("counted").get(0).get("pageWrites").isNull()).isTrue();
        assertThat(Renderings.table(report())).contains(" -");
    }

    @Test
    void csvHasALineForEveryRun() {
        assertThat(Renderings.csv(report()).lines()).hasSize(7).allMatch(line -> line.split(",", -1).length == 29);
    }

    @Test
    void pageNeedsNoNetwork() {
        String page = Renderings.page(report());

        assertThat(page).contains("Chart.js v").doesNotContain("/*data*/", "/*chart.js*/");
        assertThat(page).doesNotContain("<link", "<script src", "@import", "url(http");
    }

    @Test
    void conclusionIsTwoSentences() {
        assertThat(Conclusion.of(report(), true, 0))
                .isEqualTo("New-orders a minute (median): derby committed 150 at 1 terminal, 300 at 4 terminals;"
                        + " nb-gclock3 committed 145 at 1 terminal, none at 4 terminals. nb-gclock3 did 1.00 times as"
                        + " many as derby at 1 terminal (0.90 … 1.10 in 2 pairs of runs, no difference shown); all"
                        + " twelve consistency conditions held after every run.");
    }

    @Test
    void conclusionCountsThePairsThatSucceeded() {
        List<Run> runs = new ArrayList<>();
        for (int repeat = 1; repeat <= 6; repeat++) {
            runs.add(run("derby", 1, repeat, 100.0));
            runs.add(run("nb-gclock3", 1, repeat, repeat == 6 ? null : 110.0));
        }

        assertThat(Conclusion.of(report(runs), true, 0)).contains("(1.10 … 1.10 in 5 pairs of runs);");
        assertThat(Conclusion.of(report(runs.subList(0, 8)), true, 0))
                .contains("(1.10 … 1.10 in 4 pairs of runs, too few to claim a difference);");
    }

    @Test
    void conclusionSaysThatThePoolWasFilling() {
        assertThat(Conclusion.of(report(), true, 3))
                .endsWith("; in 3 of 7 runs the pool was still filling when measuring began.");
    }

    @Test
    void tableShowsInputAndOutputPerTransaction() {
        assertThat(Renderings.table(report())).contains("reads/tx", "2.500");
        assertThat(SETTINGS.asOptions()).containsEntry("countedSeconds", 5);
    }

    @Test
    void contendersAlternateWithinEveryRepeat() {
        assertThat(Cell.plan(SETTINGS).stream()
                        .filter(cell -> cell.terminals() == 4 && !cell.counted())
                        .map(cell -> cell.cache().name() + cell.repeat()))
                .containsExactly("derby1", "nb-gclock31", "derby2", "nb-gclock32");
        assertThat(Cell.plan(SETTINGS)).hasSize(8 + 4);
    }

    @Test
    void bareCommandEndsWithinSixMinutes() {
        assertThat(Estimate.seconds(SETTINGS, false)).isLessThanOrEqualTo(360);
    }

    @Test
    void poolIsAShareOfTheData() {
        assertThat(SETTINGS.withHeap(null).pool(70_000, 1L << 30)).isEqualTo(new Pool(14_000, 14_000, "640m"));
        assertThat(SETTINGS.pool(10, 1L << 30)).isEqualTo(new Pool(40, 10, "512m"));
    }

    @Test
    void heapThatNoMachineOfThisSizeHasIsRefused() {
        assertThatThrownBy(() -> SETTINGS.withHeap(null).pool(7_000_000, 8L << 30))
                .hasMessageStartingWith("a run needs a heap of 23,3")
                .hasMessageContaining("this machine has 8,590 MB of memory")
                .hasMessageEndingWith("pool of 1,400,000 pages, so lower --pool-percent or --warehouses");
        assertThatThrownBy(() -> SETTINGS.withHeap("9g").pool(70, 8L << 30)).hasMessageEndingWith("lower --heap");
    }
}
