// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.replay.ReplayCommand.Contender;
import io.clockhand.workbench.replay.ReplayCommand.Setting;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Replay.Writing;
import io.clockhand.workbench.replay.driver.Written;
import io.clockhand.workbench.replay.driver.Written.Moment;
import io.clockhand.workbench.replay.driver.Written.Writes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports of made-up runs, and the options. */
class ReplayReportTest {
    private static final Contender LRU = new Contender("lru", null, PageIn.COALESCED);
    private static final Contender NB_GCLOCK3 = new Contender("nb-gclock3", ClockHand.BATCHED, PageIn.COALESCED);
    private static final String TIMED =
            "--policies lru,nb-gclock3 --threads 1,64 --frames 4096 --seconds 2 --warmup 1 --repeat 2";
    private static final RunAnswer TIMED_ANSWER =
            new RunAnswer(new Timed(0, 0, new Percentiles(0.1, 0.5, 2.25)), null, null, 0, null);

    static ReplayCommand parse(String line) {
        return Experiments.parse(new ReplayCommand(), line);
    }

    private static Cell<Setting, Contender> cell(Contender contender, int threads, int repeat) {
        return new Cell<>(new Setting(threads, 4096, "paper80", Io.MEMORY), contender, repeat);
    }

    private static RunAnswer counted(long hits) {
        return new RunAnswer(
                null, new Counted(hits, 1_000 - hits, 1_010 - hits, 10, 2_000, 0, 0, null, null), null, 0, null);
    }

    /** LRU has 500 hits, NB-GCLOCK 530. */
    private static List<Run<Setting, Contender, RunAnswer>> duel(int repeat, long lru, long nbGclock3) {
        return Experiments.duel(
                List.of(cell(LRU, 1, repeat), cell(NB_GCLOCK3, 1, repeat)),
                TIMED_ANSWER,
                contender -> counted(contender.equals(LRU) ? 500 : 530),
                lru,
                nbGclock3);
    }

    private static Run<Setting, Contender, RunAnswer> run(Contender contender, int threads, RunAnswer answer) {
        return new Run<>(cell(contender, threads, 1), null, null, answer);
    }

    @Test
    void contendersAreComparedWithTheFirstAndWhatWasNotMeasuredIsNull() throws IOException {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>();
        runs.addAll(duel(1, 1_000_000, 2_000_000));
        runs.addAll(duel(2, 2_000_000, 4_000_000));
        runs.add(run(LRU, 64, null));

        JsonNode json = Experiments.json(parse(TIMED), runs).get("runs");

        assertThat(names(json.get(1)))
                .startsWith("policy hand pageIn threads frames workload io repeat accesses hits misses hitRatio"
                        + " operationsPerSecond reads wastedReads writes readStalls latencyMicros"
                        + " framesInspectedPerMiss");
        assertFields(json.get(0), "hand=null writes=null readStalls=null lostChanges=null valid=true");
        assertFields(json.get(1), "hand=batched hitRatio=0.53 framesInspectedPerMiss=" + 2_000 / 470.0);
        assertFields(json.get(4), "operationsPerSecond=null hits=null updates=null lostChanges=null valid=false");
        assertThat(Experiments.conclusion(parse(TIMED), runs, 2, true))
                .contains(
                        "nb-gclock3 against lru: 2.00 times the throughput (95 % interval 2.00 … 2.00).",
                        "nb-gclock3 against lru: +3.00 points of hit ratio.")
                .endsWith("Every page fixed was the right one.");
    }

    @Test
    void countedRunsHaveNoThroughput() throws IOException {
        ReplayCommand counting = parse("--policies lru,nb-gclock3 --threads 1,64 --frames 4096 --accesses 6000000");
        List<Run<Setting, Contender, RunAnswer>> runs = List.of(
                run(LRU, 1, counted(500)),
                run(NB_GCLOCK3, 1, counted(530)),
                run(LRU, 64, counted(490)),
                run(NB_GCLOCK3, 64, counted(540)));

        assertFields(
                Experiments.json(counting, runs).get("runs").get(0),
                "hits=500 operationsPerSecond=null latencyMicros=null valid=true");
        assertThat(Experiments.conclusion(counting, runs, 2, false))
                .containsExactly(
                        "nb-gclock3 against lru: +3.00 … +5.00 points of hit ratio.",
                        "Not every run ended with right pages, see above.");
    }

    private static Written written(long found) {
        List<Moment> seconds = List.of(
                new Moment(1, 1_000, 100, 40),
                new Moment(2, 300, 300, 40),
                new Moment(3, 1_000, 200, 40),
                new Moment(4, 500, 200, 40));
        return new Written(seconds, 70, found);
    }

    private static Run<Setting, Contender, RunAnswer> runWithWrites(long found) {
        Counted counted = new Counted(500, 500, 510, 10, 2_000, 0, 210, new Writes(200, 50, 8, 3, 5, 40), null);
        return new Run<>(
                cell(LRU, 1, 1),
                new RunAnswer(new Timed(725, 725, null), null, written(found), 0, null),
                null,
                new RunAnswer(null, counted, written(70), 0, null));
    }

    @Test
    void writesAreInTheJsonTheTableAndTheCharts() throws IOException {
        ReplayCommand writing = parse(TIMED + " --write-share 20");
        List<Run<Setting, Contender, RunAnswer>> runs = List.of(runWithWrites(70));

        JsonNode run = Experiments.json(writing, runs).get("runs").get(0);
        assertFields(
                run,
                "writes=200 readStalls=3 updates=210 writeCalls=50 batches=8 pagesPerBatch=25.0 logWaits=5"
                        + " dirtyPages=40 pagesWrittenPerSecond=200.0 steadyRatio=0.75 lostChanges=0 valid=true");
        assertThat(run.get("overTime").size()).isEqualTo(4);
        assertThat(names(run.get("overTime").get(1)))
                .isEqualTo("second accessesPerSecond pagesWrittenPerSecond dirtyPages");
        Report report = Experiments.report(writing, runs);
        assertThat(report.table()).contains("writes", "stalls", "pages/batch", "written/s", "steady %");
        assertThat(report.page()).contains("Dirty pages over time");
        assertThat(Experiments.conclusion(writing, runs, 2, true))
                .contains("Every change was found in its page after the close.");
    }

    @Test
    void lostChangeAndWrongPageMakeARunInvalid() throws IOException {
        RunAnswer wrong = new RunAnswer(null, counted(500).counted(), null, 3, "page 1");

        JsonNode json = Experiments.json(parse(TIMED), List.of(runWithWrites(69), run(LRU, 1, wrong)))
                .get("runs");

        assertFields(json.get(0), "lostChanges=1 valid=false");
        assertFields(json.get(1), "wrongPages=3 valid=false");
    }

    @Test
    void handsMultiplyOnlyPoliciesThatHaveOne() {
        List<List<Cell<Setting, Contender>>> plan = Experiments.plan(parse(TIMED + " --hand atomic,striped"));

        assertThat(plan).hasSize(2 * 2).allMatch(cells -> cells.size() == 3);
    }

    @Test
    void workloadsWithAnEndAreCountedAndOthersTimedUnlessTheOptionsDecide() {
        assertThat(parse("").times().isTimed()).isTrue();
        assertThat(parse("--workload tpcc:2").times().isTimed()).isFalse();
        assertThat(parse("--workload tpcc:2 --warmup 0").times().isTimed()).isTrue();
        assertThat(Experiments.options(parse("--warmup-accesses 5")))
                .containsEntry("accesses", 6_000_000L)
                .containsEntry("warmupAccesses", 5L)
                .containsEntry("seconds", null)
                .containsEntry("interleave", 16)
                .containsEntry("hand", List.of("batched"));
    }

    private static Writing writing(String line, boolean timed) {
        return parse(line).writes.writing(timed);
    }

    @Test
    void rateIsOfTimedRunsOnly() {
        String all = "--write-share 12.5 --rate 10000 --device-writes 5000 --log wait:200us";

        assertThat(writing(all, true)).isEqualTo(new Writing(12.5, 10_000, 5_000, 200_000));
        assertThat(writing(all, false)).isEqualTo(new Writing(12.5, 0, 5_000, 200_000));
        assertThat(writing("--write-share 1 --log wait:2ms", true)).isEqualTo(new Writing(1, 0, 0, 2_000_000));
        assertThat(writing("--write-share 1", true)).isEqualTo(new Writing(1, 0, 0, -1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --write-share 101                         | --write-share must lie in 0 … 100, not 101
            --write-share 1 --rate 0                  | --rate must lie in 1 …
            --write-share 1 --device-writes 99        | --device-writes must lie in 100 …
            --write-share 1 --log wait:0ms            | --log is none, or wait:T
            --write-share 1 --log wait:11000ms        | --log is none, or wait:T
            --write-share 1 --log disk                | --log is none, or wait:T
            --write-share 1 --rate 5 --accesses 10    | --rate needs runs that are timed
            --device-writes 500                       | need writes: add --write-share
            --write-share 0 --log wait:1ms            | need writes: add --write-share
            --write-share 0 --workload trace:x --device-writes 500 | need writes: add --write-share
            """)
    void wrongValueIsRefused(String line, String message) {
        assertThatThrownBy(() -> parse(line)).hasMessageContaining(message);
    }
}
