// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.duel.Rounds;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.ParsedOptions;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Played;
import io.clockhand.workbench.report.Turns;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

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
                null,
                null,
                tpmC == null ? "broken off" : null);
    }

    private static final List<String> NAMES = List.of("derby", "nb-gclock3");

    /** Runs of both caches in one duel. */
    private static List<Run> duel(int terminals, int repeat, Rounds rounds) {
        return NAMES.stream()
                .map(name -> new Run(
                        new Cell<>(new Setting(terminals), Contender.of(name), repeat),
                        answer(1.0),
                        new Turns(rounds, name),
                        true))
                .toList();
    }

    private static Run alone(String cache, int repeat, Double tpmC) {
        return new Run(new Cell<>(new Setting(1), Contender.of(cache), repeat), answer(tpmC), null, true);
    }

    private static TpccReport report() {
        List<Run> runs = new ArrayList<>();
        runs.addAll(duel(1, 1, Played.inTurns(NAMES, 100, 110)));
        runs.addAll(duel(1, 2, Played.inTurns(NAMES, 200, 220)));
        runs.addAll(duel(4, 1, Played.inTurns(NAMES, 300, 330)));
        return report(runs);
    }

    private static TpccReport report(List<Run> runs) {
        RunAnswer counted = new RunAnswer(
                1.0, 4L, null, null, null, null, null, null, Map.of(), null, 0.9, 10L, null, null, null, null);
        Run countedRun = new Run(new Cell<>(new Setting(1), Contender.of("derby"), 0), counted, null, true);
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
                        "consistency",
                        "copy");
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
                .containsExactly(
                        "cache",
                        "terminals",
                        "tpmC",
                        "copy",
                        "ratioToDerby",
                        "pairs",
                        "ratio",
                        "duel",
                        "rounds",
                        "sliceSeconds");
        assertThat(json.get("note").textValue()).contains("Not an audited TPC-C result");
    }

    @Test
    void ratioIsThatOfTheSumsOfAllRepeatsWithAnInterval() throws IOException {
        JsonNode line = json(report()).get("summary").get(1);

        assertThat(line.get("ratio").get("value").doubleValue()).isCloseTo(1.1, within(1e-9));
        assertThat(line.get("ratio").get("low").doubleValue()).isCloseTo(1.1, within(1e-9));
        assertThat(line.get("ratio").get("high").doubleValue()).isCloseTo(1.1, within(1e-9));
        assertThat(line.get("duel").booleanValue()).isTrue();
        assertThat(line.get("rounds").intValue()).isEqualTo(4);
        assertThat(line.get("sliceSeconds").doubleValue()).isEqualTo(0.3);
        assertThat(line.get("pairs").intValue()).isEqualTo(2);
        assertThat(line.get("tpmC").get("max").doubleValue()).isEqualTo(60 * 220);
        assertThat(json(report()).get("summary").get(0).get("ratio").isNull()).isTrue();
    }

    @Test
    void nothingIsClaimedOfContendersThatRanOneAfterTheOther() throws IOException {
        TpccReport report = report(duel(1, 1, Played.oneAfterTheOther(NAMES, 100, 200)));

        assertThat(json(report).get("summary").get(1).get("duel").booleanValue())
                .isFalse();
        assertThat(json(report).get("note").textValue()).contains("One after the other: this platform cannot stop");
        assertThat(report.report().page()).contains("One after the other");
        assertThat(report.conclusion(true, 0))
                .contains("(95 % interval 2.00 … 2.00, one after the other: nothing is claimed)");
    }

    @Test
    void unmeasuredFigureIsNull() throws IOException {
        JsonNode json = json(report(List.of(alone("derby", 1, 100.0), alone("nb-gclock3", 1, null))));

        assertThat(json.get("summary").get(1).get("tpmC").isNull()).isTrue();
        assertThat(json.get("summary").get(1).get("ratioToDerby").isNull()).isTrue();
        assertThat(json.get("summary").get(1).get("ratio").isNull()).isTrue();
        assertThat(json.get("summary").get(1).get("duel").booleanValue()).isFalse();
        assertThat(json.get("runs").get(1).get("tpmC").isNull()).isTrue();
        assertThat(json.get("counted").get(0).get("pageWrites").isNull()).isTrue();
    }

    @Test
    void csvHasALineForEveryRun() {
        assertThat(report().report().csv().lines()).hasSize(7).allMatch(line -> line.split(",", -1).length == 30);
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
                .anyMatch(line ->
                        line.matches("cache +terminals +tpmC +min +max +to derby +retries +errors +hits %" + " .*"))
                .anyMatch(line -> line.matches("derby +1 +9,000 +6,000 +12,000 +- +0 +0 +90.00 +2.500 +- +690"))
                .anyMatch(line ->
                        line.matches("nb-gclock3 +1 +9,900 +6,600 +13,200 +1.10 .1.10 … 1.10. +0 +0( +-)+ +690"))
                .anyMatch(line -> line.matches("nb-gclock3 +4 .* +1.10 .1.10 … 1.10. +0 +0( +-)+ +690"));
    }

    @Test
    void conclusionComparesEachCacheWithTheBaseline() {
        assertThat(report().conclusion(true, 0).lines())
                .containsExactly(
                        "nb-gclock3 against derby: times the new-orders a minute: 1.10 with 1 terminal (95 % interval"
                                + " 1.10 … 1.10), 1.10 with 4 terminals (95 % interval 1.10"
                                + " … 1.10).",
                        "All twelve consistency conditions held after every run.");
        assertThat(report().conclusion(false, 0)).endsWith("conditions intact, see above.");
    }

    @Test
    void contenderCanBeComparedWithItself() throws IOException {
        List<String> names = List.of("derby", "derby, copy 2");
        Rounds rounds = Played.inTurns(names, 100, 100);
        List<Run> runs = Cell.group(
                        new Setting(1), settings("--caches derby,derby").derby().caches(), 1)
                .stream()
                .map(cell -> new Run(cell, answer(1.0), new Turns(rounds, cell.name()), true))
                .toList();

        TpccReport report = report(runs);

        assertThat(report.conclusion(true, 0))
                .contains("derby, copy 2 against derby: 1.00 times the new-orders a minute (95 % interval 1.00 …"
                        + " 1.00,"
                        + " no difference shown).");
        assertThat(json(report).get("summary")).hasSize(2);
        assertThat(json(report).get("summary").get(1).get("copy").intValue()).isEqualTo(2);
        assertThat(json(report).get("summary").get(1).get("cache").textValue()).isEqualTo("derby");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--caches derby,lru --terminals 1 --record a.rw32be | name one cache by --caches",
                "--caches lru --terminals 1,2 --record a.rw32be | one number by --terminals",
                "--record a.rw32be | --record records a single run",
                "--caches lru --terminals 1 --record a.csv | ends in .rw32be, not a.csv"
            })
    void recordingNeedsOneRunAndANameOfItsFormat(String line, String sentence) {
        assertThatThrownBy(() -> settings(line))
                .isInstanceOf(ParameterException.class)
                .message()
                .containsPattern(sentence);
        assertThat(settings("--caches lru --terminals 2 --seconds 30 --record a.rw32be")
                        .countedSeconds())
                .isEqualTo(30);
    }

    @Test
    void baselineIsDerbyUnlessAnotherOneIsTypedOrThereIsNone() {
        assertThat(settings("--caches lru,derby").derby().baseline(settings("").times()))
                .isEqualTo("derby");
        assertThat(settings("--caches lru,2q").derby().baseline(settings("").times()))
                .isNull();
        Settings typed = settings("--caches lru,derby --baseline lru");
        assertThat(typed.derby().baseline(typed.times())).isEqualTo("lru");
    }

    @Test
    void conclusionSaysThatThePoolWasFilling() {
        assertThat(report().conclusion(true, 3))
                .endsWith("In 3 of 7 runs the pool was still filling when measuring began.");
    }

    @Test
    void runThatBrokeOffOrHoldsTooManyPagesIsNotValid() throws IOException {
        Run overfull = new Run(alone("derby", 1, 100.0).cell(), answer(100.0), null, false);

        JsonNode runs = json(report(List.of(alone("derby", 1, 100.0), overfull, alone("derby", 2, null))))
                .get("runs");

        assertThat(runs.findValues("valid").stream().map(JsonNode::booleanValue))
                .containsExactly(true, false, false);
        assertThat(report(List.of(overfull)).report().page()).contains("\"bad\" : \"690\"");
    }

    @Test
    void tableShowsInputAndOutputPerTransaction() {
        assertThat(report().report().table()).contains("reads/tx", "2.500");
        assertThat(settings("").asOptions()).containsEntry("countedSeconds", 8);
    }

    @Test
    void contendersOfASettingAreOneGroupAndCountedRunsFollow() {
        List<List<Cell<Setting, Contender>>> plan = settings("--repeat 2").plan();

        assertThat(plan).hasSize(4 + 4);
        assertThat(plan.get(3).stream().map(Cell::toString))
                .containsExactly("derby, 4 terminals, repeat 2", "nb-gclock3, 4 terminals, repeat 2");
        assertThat(plan.get(4)).hasSize(1).allMatch(Cell::onlyCounts);
    }

    @Test
    void bareCommandEndsWithinSixMinutes() {
        assertThat(Estimate.seconds(settings(""), false)).isLessThanOrEqualTo(360);
    }

    @Test
    void poolIsAShareOfTheData() {
        assertThat(settings("").pool(70_000, 2L << 30)).isEqualTo(new Pool(14_000, 14_000, "640m"));
        assertThat(settings("--heap 512m").pool(10, 1L << 30)).isEqualTo(new Pool(40, 10, "512m"));
    }

    @Test
    void heapsOfAllContendersMustFitIntoTheMachine() {
        assertThatThrownBy(() -> settings("").pool(7_000_000, 8L << 30))
                .hasMessageStartingWith("2 contenders live at once and each needs a heap of 23,3")
                .hasMessageContaining("this machine has 8,590 MB of memory")
                .hasMessageEndingWith(
                        "pool of 1,400,000 pages, so lower --pool-percent or --warehouses, or compare fewer"
                                + " --caches");
        assertThat(settings("--heap 5g --caches derby").pool(70, 8L << 30).heap())
                .isEqualTo("5g");
        assertThatThrownBy(() -> settings("--heap 5g").pool(70, 8L << 30)).hasMessageContaining("lower --heap");
    }

    @Test
    void lockTimeOutsAreAsManyTimesLongerAsThereAreContenders() {
        assertThat(TpccRuns.derbyProperties(settings("--caches derby"), POOL))
                .containsEntry("derby.locks.waitTimeout", "5")
                .containsEntry("derby.locks.deadlockTimeout", "1");
        assertThat(TpccRuns.derbyProperties(settings("--caches derby,lru,2q"), POOL))
                .containsEntry("derby.locks.waitTimeout", "15")
                .containsEntry("derby.locks.deadlockTimeout", "3");
    }
}
