// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.duel.Rounds;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyExperiment.Setting;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.tpcc.RunAnswer.Percentiles;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Played;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Turns;
import io.clockhand.workbench.workload.tpcc.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

public class TpccReportTest {
    static TpccCommand parse(String line) {
        return Experiments.parse(new TpccCommand(), line);
    }

    /** With a pool of 700 pages. */
    private static TpccCommand loaded(String line) {
        TpccCommand experiment = parse("--heap 512m " + line);
        experiment.sizePools(3_500, new Journal(new PrintStream(OutputStream.nullOutputStream()), null));
        return experiment;
    }

    /** Runs that were made up. */
    private record Made(List<Run<Setting, Contender, RunAnswer>> runs) {
        Report report() {
            return Experiments.report(loaded(""), runs);
        }

        JsonNode json() throws IOException {
            return Experiments.json(loaded(""), runs);
        }

        Stream<String> conclusion(boolean good) {
            return Experiments.conclusion(loaded(""), runs, 2, good);
        }
    }

    private static RunAnswer answer(Double tpmC) {
        return answer(tpmC, 690, 690);
    }

    private static RunAnswer answer(Double tpmC, int residentAtStart, int maxResidentPages) {
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
                residentAtStart,
                maxResidentPages,
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

    private static final RunAnswer COUNTED = new RunAnswer(
            1.0, 4L, null, null, null, null, null, null, Map.of(), null, 0.9, 10L, null, null, null, null);

    /** Runs of both caches in one duel. */
    private static List<Run<Setting, Contender, RunAnswer>> duel(int terminals, int repeat, Rounds rounds) {
        return NAMES.stream()
                .map(name -> new Run<>(
                        new Cell<>(new Setting(terminals, null), Contender.of(name), repeat),
                        answer(1.0),
                        new Turns(rounds, name),
                        terminals == 1 && name.equals("derby") ? COUNTED : null))
                .toList();
    }

    private static Run<Setting, Contender, RunAnswer> alone(String cache, int repeat, RunAnswer answer) {
        return new Run<>(new Cell<>(new Setting(1, null), Contender.of(cache), repeat), answer, null, null);
    }

    private static Made made() {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>();
        runs.addAll(duel(1, 1, Played.inTurns(NAMES, 100, 110)));
        runs.addAll(duel(1, 2, Played.inTurns(NAMES, 200, 220)));
        runs.addAll(duel(4, 1, Played.inTurns(NAMES, 300, 330)));
        return new Made(runs);
    }

    /** The names of the fields, in their order. */
    public static String names(JsonNode node) {
        return String.join(" ", (Iterable<String>) node::fieldNames);
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = made().json();

        assertThat(json.fieldNames())
                .toIterable()
                .contains("command", "version", "environment", "options", "runs", "counted", "summary");
        assertThat(names(json.get("environment"))).isEqualTo("cpu cores memoryBytes os jdk jvmFlags date");
        JsonNode run = json.get("runs").get(0);
        assertThat(names(run))
                .isEqualTo("cache warehouses terminals repeat poolPages durability seconds tpmC "
                        + "transactions retries errors latencyMicros maxResidentPages valid consistency "
                        + "copy");
        assertThat(names(run.get("latencyMicros"))).isEqualTo("newOrder payment orderStatus delivery stockLevel");
        assertThat(names(run.get("latencyMicros").get("payment"))).isEqualTo("p50 p95 p99");
        assertThat(names(run.get("consistency"))).isEqualTo("1 2 3 4 5 6 7 8 9 10 11 12");
        assertThat(names(json.get("counted").get(0)))
                .isEqualTo("cache terminals hitRatio pageReads pageWrites transactions");
        assertThat(names(json.get("summary").get(0)))
                .isEqualTo("cache terminals tpmC copy ratioToDerby pairs ratio duel rounds sliceSeconds");
        assertThat(json.get("note").textValue()).contains("Not an audited TPC-C result");
    }

    @Test
    void ratioIsThatOfTheSumsOfAllRepeatsWithAnInterval() throws IOException {
        JsonNode line = made().json().get("summary").get(1);

        assertThat(line.get("ratio").get("value").doubleValue()).isCloseTo(1.1, within(1e-9));
        assertThat(line.get("ratio").get("low").doubleValue()).isCloseTo(1.1, within(1e-9));
        assertThat(line.get("ratio").get("high").doubleValue()).isCloseTo(1.1, within(1e-9));
        assertThat(line.get("duel").booleanValue()).isTrue();
        assertThat(line.get("rounds").intValue()).isEqualTo(4);
        assertThat(line.get("sliceSeconds").doubleValue()).isEqualTo(0.3);
        assertThat(line.get("pairs").intValue()).isEqualTo(2);
        assertThat(line.get("tpmC").get("max").doubleValue()).isEqualTo(60 * 220);
        assertThat(made().json().get("summary").get(0).get("ratio").isNull()).isTrue();
    }

    @Test
    void nothingIsClaimedOfContendersThatRanOneAfterTheOther() throws IOException {
        Made report = new Made(duel(1, 1, Played.oneAfterTheOther(NAMES, 100, 200)));

        assertThat(report.json().get("summary").get(1).get("duel").booleanValue())
                .isFalse();
        assertThat(report.json().get("note").textValue()).contains("One after the other: this platform cannot stop");
        assertThat(report.report().page()).contains("One after the other");
        assertThat(report.conclusion(true))
                .anyMatch(
                        line -> line.contains("(95 % interval 2.00 … 2.00, one after the other: nothing is claimed)"));
    }

    @Test
    void unmeasuredFigureIsNull() throws IOException {
        JsonNode json =
                new Made(List.of(alone("derby", 1, answer(100.0)), alone("nb-gclock3", 1, answer(null)))).json();

        assertThat(json.get("summary").get(1).get("tpmC").isNull()).isTrue();
        assertThat(json.get("summary").get(1).get("ratioToDerby").isNull()).isTrue();
        assertThat(json.get("summary").get(1).get("ratio").isNull()).isTrue();
        assertThat(json.get("summary").get(1).get("duel").booleanValue()).isFalse();
        assertThat(json.get("runs").get(1).get("tpmC").isNull()).isTrue();
        assertThat(json.get("counted").get(0).get("pageWrites").isNull()).isTrue();
    }

    @Test
    void csvHasALineForEveryRun() {
        assertThat(made().report().csv().lines()).hasSize(7).allMatch(line -> line.split(",", -1).length == 30);
    }

    @Test
    void tableHasALineForEachCacheAndNumberOfTerminals() {
        assertThat(made().report().table().lines())
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
        assertThat(made().conclusion(true))
                .containsExactly(
                        "nb-gclock3 against derby: times the new-orders a minute: 1.10 with 1 terminal (95 % interval"
                                + " 1.10 … 1.10), 1.10 with 4 terminals (95 % interval 1.10"
                                + " … 1.10).",
                        "All twelve consistency conditions held after every run.");
        assertThat(made().conclusion(false))
                .endsWith("Not every run ended with all twelve consistency conditions intact, see above.");
    }

    @Test
    void contenderCanBeComparedWithItself() throws IOException {
        List<String> names = List.of("derby", "derby, copy 2");
        Rounds rounds = Played.inTurns(names, 100, 100);
        List<Run<Setting, Contender, RunAnswer>> runs =
                Experiments.plan(parse("--caches derby,derby --terminals 1")).get(0).stream()
                        .map(cell -> new Run<>(cell, answer(1.0), new Turns(rounds, cell.name()), (RunAnswer) null))
                        .toList();

        Made report = new Made(runs);

        assertThat(report.conclusion(true))
                .contains("derby, copy 2 against derby: 1.00 times the new-orders a minute (95 % interval 1.00 …"
                        + " 1.00,"
                        + " no difference shown).");
        assertThat(report.json().get("summary")).hasSize(2);
        assertThat(report.json().get("summary").get(1).get("copy").intValue()).isEqualTo(2);
        assertThat(report.json().get("summary").get(1).get("cache").textValue()).isEqualTo("derby");
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
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(ParameterException.class)
                .message()
                .containsPattern(sentence);
        assertThat(parse("--caches lru --terminals 2 --seconds 30 --record a.rw32be")
                        .options())
                .containsEntry("countedSeconds", 30);
    }

    @Test
    void baselineIsDerbyUnlessAnotherOneIsTypedOrThereIsNone() {
        assertThat(Experiments.baseline(parse("--caches lru,derby"))).isEqualTo("derby");
        assertThat(Experiments.baseline(parse("--caches lru,2q"))).isNull();
        assertThat(Experiments.baseline(parse("--caches lru,derby --baseline lru")))
                .isEqualTo("lru");
    }

    @Test
    void conclusionSaysThatThePoolWasFilling() {
        Made report = new Made(List.of(alone("derby", 1, answer(1.0, 600, 690)), alone("derby", 2, answer(1.0))));

        assertThat(report.conclusion(true)).contains("In 1 of 3 runs the pool was still filling when measuring began.");
    }

    @Test
    void runThatBrokeOffOrHoldsTooManyPagesIsNotValid() throws IOException {
        Run<Setting, Contender, RunAnswer> overfull = alone("derby", 1, answer(100.0, 690, 715));

        JsonNode runs = new Made(List.of(alone("derby", 1, answer(100.0)), overfull, alone("derby", 2, answer(null))))
                .json()
                .get("runs");

        assertThat(runs.findValues("valid").stream().map(JsonNode::booleanValue))
                .containsExactly(true, false, false);
        assertThat(new Made(List.of(overfull)).report().page()).contains("\"bad\" : \"715\"");
    }

    @Test
    void tableShowsInputAndOutputPerTransaction() {
        assertThat(made().report().table()).contains("reads/tx", "2.500");
        assertThat(parse("").options()).containsEntry("countedSeconds", 8);
    }

    @Test
    void contendersOfASettingAreOneGroupAndTheFirstRepeatIsCounted() {
        List<List<Cell<Setting, Contender>>> plan = Experiments.plan(parse("--repeat 2"));

        assertThat(plan).hasSize(4);
        assertThat(plan.get(3).stream().map(Cell::toString))
                .containsExactly("derby, 4 terminals, repeat 2", "nb-gclock3, 4 terminals, repeat 2");
        assertThat(made().runs().stream().filter(loaded("")::isCounted)).hasSize(4);
        assertThat(loaded("").completed(made().runs()).stream().map(Run::counted))
                .containsExactly(COUNTED, null, COUNTED, null, null, null);
    }

    @Test
    void bareCommandEndsWithinSixMinutes() {
        assertThat(parse("").seconds(false)).isLessThanOrEqualTo(360);
    }

    @Test
    void poolIsAShareOfTheData() {
        assertThat(parse("").pool(new Setting(1, null), 70_000, 2L << 30)).isEqualTo(new Pool(14_000, 14_000, "640m"));
        assertThat(parse("--heap 512m").pool(new Setting(1, null), 10, 1L << 30))
                .isEqualTo(new Pool(40, 10, "512m"));
    }

    @Test
    void heapsOfAllContendersMustFitIntoTheMachine() {
        assertThatThrownBy(() -> parse("").pool(new Setting(1, null), 7_000_000, 8L << 30))
                .hasMessageStartingWith("2 contenders live at once and each needs a heap of 23,3")
                .hasMessageContaining("this machine has 8,590 MB of memory")
                .hasMessageEndingWith(
                        "pool of 1,400,000 pages, so lower --pool-percent or --warehouses, or compare fewer"
                                + " --caches");
        assertThat(parse("--heap 5g --caches derby")
                        .pool(new Setting(1, null), 70, 8L << 30)
                        .heap())
                .isEqualTo("5g");
        assertThatThrownBy(() -> parse("--heap 5g").pool(new Setting(1, null), 70, 8L << 30))
                .hasMessageContaining("lower --heap");
    }

    @Test
    void lockTimeOutsAreAsManyTimesLongerAsThereAreContenders() {
        assertThat(loaded("--caches derby").commonProperties())
                .containsEntry("derby.locks.waitTimeout", "5")
                .containsEntry("derby.locks.deadlockTimeout", "1");
        assertThat(loaded("--caches derby,lru,2q").commonProperties())
                .containsEntry("derby.locks.waitTimeout", "15")
                .containsEntry("derby.locks.deadlockTimeout", "3");
    }
}
