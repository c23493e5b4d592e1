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
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.tpcc.TpccCommand.Setting;
import io.clockhand.workbench.derby.tpcc.TpccRun.RunAnswer;
import io.clockhand.workbench.derby.tpcc.TpccRun.Statistics;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed.Percentiles;
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

    /** With a pool of 700 pages. */
    private static TpccCommand sized(String line) {
        TpccCommand experiment = Experiments.parse(new TpccCommand(), line);
        experiment.sizePool(3_500);
        return experiment;
    }

    private static RunAnswer answer(int residentAtStart, int maxResidentPages, List<String> damage, Statistics counts) {
        Map<String, Percentiles> latencies = Map.of("payment", new Percentiles(1, 2, 3));
        return new RunAnswer(9, 1.0, 4, 0, 0, latencies, residentAtStart, maxResidentPages, damage, counts);
    }

    private static final RunAnswer ANSWER = answer(690, 690, List.of(), null);
    private static final RunAnswer COUNTED = answer(690, 690, List.of(), new Statistics(0.9, 10, 2, null));

    /** Runs of both caches in one duel. */
    private static List<Run<Setting, Contender, RunAnswer>> duel(int terminals, int repeat, Rounds rounds) {
        return NAMES.stream()
                .map(name -> new Run<>(
                        new Cell<>(new Setting(terminals), Contender.of(name), repeat),
                        ANSWER,
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
    void jsonAndTableShowRunsCountsAndTheComparison() throws IOException {
        JsonNode json = Experiments.json(sized(""), runs());

        assertThat(json.get("note").textValue()).contains("Not an audited TPC-C result");
        assertThat(names(json.get("runs").get(0)))
                .isEqualTo("cache warehouses terminals repeat poolPages tpmC transactions retries errors"
                        + " latencyMicros maxResidentPages valid copy");
        assertThat(json.get("runs").get(0).get("latencyMicros"))
                .hasToString("{\"payment\":{\"p50\":1.0,\"p95\":2.0,\"p99\":3.0}}");
        assertFields(
                json.get("counted").get(0),
                "cache=derby terminals=1 hitRatio=0.9 pageReads=10 pageWrites=2 transactions=4");
        JsonNode line = json.get("summary").get(1);
        assertThat(names(line))
                .isEqualTo("cache terminals tpmC copy ratioOfPairs pairs ratio duel rounds sliceSeconds");
        assertFields(line, "duel=true rounds=4 sliceSeconds=0.3 pairs=2");
        assertThat(line.get("tpmC").get("max").doubleValue()).isEqualTo(60 * 220);

        assertThat(Experiments.report(sized(""), runs()).table().lines())
                .hasSize(1 + 4)
                .anyMatch(row -> row.matches("cache +terminals +tpmC +min +max +to derby +retries +errors +hits %"
                        + " +reads/tx +writes/tx +max resident"))
                .anyMatch(row -> row.matches("derby +1 +9,000 +6,000 +12,000 +- +0 +0 +90.00 +2.500 +0.500 +690"))
                .anyMatch(
                        row -> row.matches("nb-gclock3 +1 +9,900 +6,600 +13,200 +1.10 .1.10 … 1.10. +0 +0( +-)+ +690"));
    }

    @Test
    void selectsAreReportedPerSecond() throws IOException {
        assertFields(
                Experiments.json(sized("--work selects"), runs()).get("runs").get(1), "selectsPerSecond=110.0");
        assertThat(Experiments.conclusion(sized("--work selects"), runs(), 2, true))
                .anyMatch(line -> line.startsWith("nb-gclock3 against derby: times the selects a second: 1.10 with"));
    }

    @Test
    void conclusionComparesWithTheBaselineAndTellsOfPoolsThatWereFilling() {
        List<Run<Setting, Contender, RunAnswer>> runs = runs();
        runs.set(0, alone("derby", 1, answer(600, 690, List.of(), null)));

        assertThat(Experiments.conclusion(sized(""), runs, 2, true))
                .anyMatch(line -> line.startsWith("nb-gclock3 against derby: times the new-orders a minute: 1.10 with"))
                .contains("In 1 of 7 runs the pool was still filling when measuring began; a longer --warmup fills it.")
                .endsWith("All twelve consistency conditions held after every run.");
    }

    @Test
    void runThatFailedHeldTooManyPagesOrBrokeAConditionIsNotValid() throws IOException {
        RunAnswer broken = answer(690, 690, List.of("breaks x", "holds y"), null);
        JsonNode json = Experiments.json(
                sized(""),
                List.of(
                        alone("derby", 1, ANSWER),
                        alone("derby", 2, answer(690, 715, List.of(), null)),
                        alone("derby", 3, broken),
                        alone("nb-gclock3", 1, null)));

        assertThat(json.get("runs").findValuesAsText("valid")).containsExactly("true", "false", "false", "false");
        assertThat(broken.wrong()).isEqualTo("breaks x; holds y");
        assertFields(json.get("summary").get(1), "tpmC=null ratioOfPairs=null ratio=null duel=false");
        assertFields(json.get("runs").get(3), "tpmC=null");
        assertFields(json.get("counted").get(1), "pageWrites=null");
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
        assertThatThrownBy(() -> sized(line))
                .isInstanceOf(ParameterException.class)
                .message()
                .containsPattern(sentence);
    }

    @Test
    void baselineIsDerbyUnlessAnotherOneIsTypedOrThereIsNone() {
        assertThat(Stream.of("--caches lru,derby", "--caches lru,2q", "--caches lru,derby --baseline lru")
                        .map(line -> Experiments.baseline(sized(line))))
                .containsExactly("derby", null, "lru");
    }

    @Test
    void countedRunIsShorterUnlessItIsRecorded() {
        assertThat(Stream.of("", "--seconds 2", "--caches lru --terminals 2 --seconds 30 --record a.rw32be")
                        .map(line -> sized(line).countedSeconds()))
                .containsExactly(8, 2, 30);
    }

    @Test
    void heapsOfAllContendersMustFitIntoTheMachine() {
        assertThat(Pool.of(20, 70_000, 14L << 20, 2, 2L << 30)).isEqualTo(new Pool(14_000, 14_000, "640m"));
        assertThat(Pool.of(20, 10, 0, 1, 2L << 30)).isEqualTo(new Pool(40, 10, "512m"));
        assertThatThrownBy(() -> Pool.of(20, 7_000_000, 14L << 20, 2, 8L << 30))
                .hasMessageMatching("a heap of 23,3.. MB for each cache, 2 in all, does not fit into the 8,590 MB .*"
                        + " pool of 1,400,000 pages, so lower .*");
    }

    @Test
    void lockTimeOutsAreAsManyTimesLongerAsThereAreContenders() {
        assertThat(DerbyProperties.common(100, 3))
                .containsEntry("derby.locks.waitTimeout", "15")
                .containsEntry("derby.locks.deadlockTimeout", "3");
    }
}
