// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.duel.Rounds;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.tpcc.RunAnswer.Percentiles;
import io.clockhand.workbench.derby.tpcc.RunAnswer.Statistics;
import io.clockhand.workbench.derby.tpcc.TpccExperiment.Setting;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Played;
import io.clockhand.workbench.experiment.report.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

class TpccReportTest {
    private static final List<String> NAMES = List.of("derby", "nb-gclock3");

    private static TpccCommand parse(String line) {
        return Experiments.parse(new TpccCommand(), line);
    }

    /** With a pool of 700 pages. */
    private static TpccCommand sized(String line) {
        TpccCommand experiment = parse(line);
        experiment.sizePool(3_500);
        return experiment;
    }

    private static JsonNode json(List<Run<Setting, Contender, RunAnswer>> runs) throws IOException {
        return Experiments.json(sized(""), runs);
    }

    private static Stream<String> conclusion(List<Run<Setting, Contender, RunAnswer>> runs, boolean good) {
        return Experiments.conclusion(sized(""), runs, 2, good);
    }

    private static RunAnswer answer(int residentAtStart, int maxResidentPages, Statistics statistics) {
        Map<String, Percentiles> latencies = Map.of("payment", new Percentiles(1, 2, 3));
        return new RunAnswer(
                9, 1.0, 4, 0, 0, latencies, residentAtStart, maxResidentPages, Map.of(), List.of(), statistics);
    }

    private static RunAnswer answer() {
        return answer(690, 690, null);
    }

    private static final RunAnswer COUNTED = answer(690, 690, new Statistics(0.9, 10, 2, null, null));

    /** Runs of both caches in one duel. */
    private static List<Run<Setting, Contender, RunAnswer>> duel(int terminals, int repeat, Rounds rounds) {
        return NAMES.stream()
                .map(name -> new Run<>(
                        new Cell<>(new Setting(terminals), Contender.of(name), repeat),
                        answer(),
                        new Turns(rounds, name),
                        repeat == 1 && name.equals("derby") ? COUNTED : null))
                .toList();
    }

    private static Run<Setting, Contender, RunAnswer> alone(String cache, int repeat, RunAnswer answer) {
        return new Run<>(new Cell<>(new Setting(1), Contender.of(cache), repeat), answer, null, null);
    }

    private static List<Run<Setting, Contender, RunAnswer>> runs() {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>();
        runs.addAll(duel(1, 1, Played.inTurns(NAMES, 100, 110)));
        runs.addAll(duel(1, 2, Played.inTurns(NAMES, 200, 220)));
        runs.addAll(duel(4, 1, Played.inTurns(NAMES, 300, 330)));
        return runs;
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = json(runs());

        assertThat(names(json)).contains("command", "version", "environment", "options", "runs", "counted", "summary");
        assertThat(json.get("note").textValue()).contains("Not an audited TPC-C result");
        JsonNode run = json.get("runs").get(0);
        assertThat(names(run))
                .isEqualTo("cache warehouses terminals repeat poolPages tpmC transactions retries errors"
                        + " latencyMicros maxResidentPages valid consistency copy");
        assertThat(run.get("latencyMicros")).hasToString("{\"payment\":{\"p50\":1,\"p95\":2,\"p99\":3}}");
        assertThat(names(run.get("consistency"))).isEqualTo("1 2 3 4 5 6 7 8 9 10 11 12");
        assertFields(
                json.get("counted").get(0),
                "cache=derby terminals=1 hitRatio=0.9 pageReads=10 pageWrites=2 transactions=4");
        assertThat(names(json.get("summary").get(0)))
                .isEqualTo("cache terminals tpmC copy ratioToDerby pairs ratio duel rounds sliceSeconds");
        assertThat(json.get("summary").get(0).get("ratio").isNull()).isTrue();
        JsonNode line = json.get("summary").get(1);
        assertFields(line, "duel=true rounds=4 sliceSeconds=0.3 pairs=2");
        assertThat(line.get("ratio").get("value").doubleValue()).isBetween(1.0999, 1.1001);
        assertThat(line.get("tpmC").get("max").doubleValue()).isEqualTo(60 * 220);
    }

    @Test
    void selectsAreReportedPerSecond() throws IOException {
        JsonNode json = Experiments.json(sized("--work selects"), runs());

        assertFields(json.get("runs").get(1), "selectsPerSecond=110.0");
        assertThat(Experiments.conclusion(sized("--work selects"), runs(), 2, true))
                .anyMatch(line -> line.startsWith("nb-gclock3 against derby: times the selects a second: 1.10 with"));
    }

    @Test
    void nothingIsClaimedOfContendersThatRanOneAfterTheOther() throws IOException {
        List<Run<Setting, Contender, RunAnswer>> runs = duel(1, 1, Played.oneAfterTheOther(NAMES, 100, 200));

        assertFields(json(runs).get("summary").get(1), "duel=false");
        assertThat(json(runs).get("note").textValue()).contains("One after the other: this platform cannot stop");
        assertThat(Experiments.report(sized(""), runs).page()).contains("One after the other");
        assertThat(conclusion(runs, true))
                .anyMatch(
                        line -> line.contains("(95 % interval 2.00 … 2.00, one after the other: nothing is claimed)"));
    }

    @Test
    void figureOfARunThatFailedIsNull() throws IOException {
        JsonNode json = json(List.of(alone("derby", 1, answer()), alone("nb-gclock3", 1, null)));

        assertFields(json.get("summary").get(1), "tpmC=null ratioToDerby=null ratio=null duel=false");
        assertFields(json.get("runs").get(1), "tpmC=null valid=false");
        assertFields(json.get("counted").get(0), "pageWrites=null");
    }

    @Test
    void tableHasALineForEachCacheAndNumberOfTerminals() {
        assertThat(Experiments.report(sized(""), runs()).table().lines())
                .hasSize(1 + 4)
                .anyMatch(line -> line.matches("cache +terminals +tpmC +min +max +to derby +retries +errors +hits %"
                        + " +reads/tx +writes/tx +max resident"))
                .anyMatch(line -> line.matches("derby +1 +9,000 +6,000 +12,000 +- +0 +0 +90.00 +2.500 +0.500 +690"))
                .anyMatch(line ->
                        line.matches("nb-gclock3 +1 +9,900 +6,600 +13,200 +1.10 .1.10 … 1.10. +0 +0( +-)+ +690"));
    }

    @Test
    void conclusionComparesEachCacheWithTheBaseline() {
        assertThat(conclusion(runs(), true))
                .containsExactly(
                        "nb-gclock3 against derby: times the new-orders a minute: 1.10 with 1 terminal (95 % interval"
                                + " 1.10 … 1.10), 1.10 with 4 terminals (95 % interval 1.10"
                                + " … 1.10).",
                        "All twelve consistency conditions held after every run.");
        assertThat(conclusion(runs(), false))
                .endsWith("Not every run ended with all twelve consistency conditions intact, see above.");
    }

    @Test
    void contenderCanBeComparedWithItself() throws IOException {
        Rounds rounds = Played.inTurns(List.of("derby", "derby, copy 2"), 100, 100);
        List<Run<Setting, Contender, RunAnswer>> runs =
                Experiments.plan(parse("--caches derby,derby --terminals 1")).get(0).stream()
                        .map(cell -> new Run<>(cell, answer(), new Turns(rounds, cell.name()), (RunAnswer) null))
                        .toList();

        assertThat(conclusion(runs, true))
                .contains("derby, copy 2 against derby: 1.00 times the new-orders a minute (95 % interval 1.00 …"
                        + " 1.00, no difference shown).");
        assertFields(json(runs).get("summary").get(1), "cache=derby copy=2");
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
        assertThat(conclusion(List.of(alone("derby", 1, answer(600, 690, null)), alone("derby", 2, answer())), true))
                .contains("In 1 of 2 runs the pool was still filling when measuring began.");
    }

    @Test
    void runThatHoldsTooManyPagesOrBrokeAConditionIsNotValid() throws IOException {
        RunAnswer broken = new RunAnswer(
                9, 1.0, 4, 0, 0, Map.of(), 690, 690, Map.of(3, "district 1: 7 is not 8"), List.of("holds x"), null);

        JsonNode runs = json(List.of(
                        alone("derby", 1, answer()),
                        alone("derby", 2, answer(690, 715, null)),
                        alone("derby", 3, broken)))
                .get("runs");

        assertThat(runs.findValuesAsText("valid")).containsExactly("true", "false", "false");
        assertThat(runs.get(2).get("consistency").get("3").booleanValue()).isFalse();
        assertThat(broken.wrong()).isEqualTo("breaks consistency condition 3 in district 1: 7 is not 8; holds x");
    }

    @Test
    void bareCommandEndsWithinSixMinutes() {
        assertThat(parse("").seconds(false)).isLessThanOrEqualTo(360);
        assertThat(parse("").countedSeconds()).isEqualTo(8);
        assertThat(parse("--caches lru --terminals 2 --seconds 30 --record a.rw32be")
                        .countedSeconds())
                .isEqualTo(30);
    }

    @Test
    void heapsOfAllContendersMustFitIntoTheMachine() {
        assertThat(Pool.of(20, 70_000, 14L << 20, 2, 2L << 30)).isEqualTo(new Pool(14_000, 14_000, "640m"));
        assertThat(Pool.of(20, 10, 0, 1, 2L << 30)).isEqualTo(new Pool(40, 10, "512m"));
        assertThatThrownBy(() -> Pool.of(20, 7_000_000, 14L << 20, 2, 8L << 30))
                .hasMessageStartingWith("2 contenders live at once and each needs a heap of 23,3")
                .hasMessageContaining("this machine has 8,590 MB of memory")
                .hasMessageEndingWith(
                        "pool of 1,400,000 pages, so lower --pool-percent or --warehouses, or compare fewer"
                                + " --caches");
    }

    @Test
    void lockTimeOutsAreAsManyTimesLongerAsThereAreContenders() {
        assertThat(sized("--caches derby").commonProperties())
                .containsEntry("derby.locks.waitTimeout", "5")
                .containsEntry("derby.locks.deadlockTimeout", "1");
        assertThat(sized("--caches derby,lru,2q").commonProperties())
                .containsEntry("derby.locks.waitTimeout", "15")
                .containsEntry("derby.locks.deadlockTimeout", "3");
    }
}
