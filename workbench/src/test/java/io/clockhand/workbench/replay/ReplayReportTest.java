// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.names;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.replay.ReplayCommand.Setting;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Written;
import io.clockhand.workbench.replay.driver.Written.Moment;
import io.clockhand.workbench.replay.driver.Written.Writes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplayReportTest {
    private static final Contender LRU = new Contender("lru", null, PageIn.COALESCED);
    private static final Contender NB_GCLOCK3 = new Contender("nb-gclock3", ClockHand.BATCHED, PageIn.COALESCED);

    static ReplayCommand parse(String line) {
        return Experiments.parse(new ReplayCommand(), line);
    }

    /** Runs that were made up. */
    private record Made(ReplayCommand experiment, List<Run<Setting, Contender, RunAnswer>> runs) {
        Report report() {
            return Experiments.report(experiment, runs);
        }

        JsonNode json() throws IOException {
            return Experiments.json(experiment, runs);
        }

        Stream<String> conclusion(int cores, boolean good) {
            return Experiments.conclusion(experiment, runs, cores, good);
        }
    }

    private static final String TIMED =
            "--policies lru,nb-gclock3 --threads 1,64 --frames 4096 --seconds 2 --warmup 1 --repeat 2";
    private static final String COUNTED = "--policies lru,nb-gclock3 --threads 1,64 --frames 4096 --accesses 6000000";

    private static Cell<Setting, Contender> cell(Contender contender, int threads, int repeat) {
        return new Cell<>(new Setting(threads, 4096, "paper80", Io.MEMORY), contender, repeat);
    }

    private static RunAnswer counted(long hits) {
        return new RunAnswer(
                null, new Counted(1_000, hits, 1_000 - hits, 1_010 - hits, 10, 2_000, 0, 0, null, null), null, 0, null);
    }

    private static final RunAnswer TIMED_ANSWER =
            new RunAnswer(new Timed(0, 0, new Percentiles(0.1, 0.5, 2.25)), null, null, 0, null);

    /** LRU has 500 hits, NB-GCLOCK 530. */
    private static List<Run<Setting, Contender, RunAnswer>> duel(int threads, int repeat, long lru, long nbGclock3) {
        return Experiments.duel(
                List.of(cell(LRU, threads, repeat), cell(NB_GCLOCK3, threads, repeat)),
                TIMED_ANSWER,
                contender -> counted(contender.equals(LRU) ? 500 : 530),
                lru,
                nbGclock3);
    }

    private static Run<Setting, Contender, RunAnswer> run(Contender contender, int threads, long hits) {
        return new Run<>(cell(contender, threads, 1), null, null, counted(hits));
    }

    private static Made timedReport() {
        List<Run<Setting, Contender, RunAnswer>> runs = new ArrayList<>();
        runs.addAll(duel(1, 1, 1_000_000, 2_000_000));
        runs.addAll(duel(1, 2, 2_000_000, 4_000_000));
        runs.add(new Run<>(cell(LRU, 64, 1), null, null, null));
        runs.add(new Run<>(cell(NB_GCLOCK3, 64, 1), null, null, null));
        return new Made(parse(TIMED), runs);
    }

    private static Made countedReport() {
        return new Made(
                parse(COUNTED),
                List.of(run(LRU, 1, 500), run(NB_GCLOCK3, 1, 530), run(LRU, 64, 490), run(NB_GCLOCK3, 64, 540)));
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = timedReport().json();

        assertThat(names(json)).isEqualTo("command version note environment options runs summary");
        assertThat(json.get("command").textValue()).isEqualTo("replay");
        JsonNode run = json.get("runs").get(1);
        assertThat(names(run))
                .startsWith("policy hand pageIn threads frames workload io repeat accesses hits misses hitRatio"
                        + " operationsPerSecond reads wastedReads writes readStalls latencyMicros"
                        + " framesInspectedPerMiss");
        assertFields(run, "hand=batched hitRatio=0.53 framesInspectedPerMiss=" + 2_000 / 470.0);
        assertThat(names(run.get("latencyMicros"))).isEqualTo("p50 p95 p99");
        assertThat(json.get("options").fieldNames())
                .toIterable()
                .contains("policies", "hand", "pageIn", "warmupAccesses", "interleave", "seed", "debug");
    }

    @Test
    void unmeasuredFigureIsNull() throws IOException {
        JsonNode timed = timedReport().json().get("runs");
        assertFields(timed.get(0), "hand=null writes=null readStalls=null");
        assertFields(timed.get(5), "operationsPerSecond=null hits=null valid=false");
        JsonNode counted = countedReport().json().get("runs");
        assertFields(counted.get(0), "hits=500 operationsPerSecond=null latencyMicros=null valid=true");
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
        Counted counted = new Counted(1_000, 500, 500, 510, 10, 2_000, 0, 210, new Writes(200, 50, 8, 3, 5, 40), null);
        return new Run<>(
                cell(LRU, 1, 1),
                new RunAnswer(new Timed(725, 725, null), null, written(found), 0, null),
                null,
                new RunAnswer(null, counted, written(70), 0, null));
    }

    @Test
    void writesAreInTheJsonTheTableAndTheCharts() throws IOException {
        Made report = new Made(parse(TIMED + " --write-share 20"), List.of(runWithWrites(70)));

        JsonNode run = report.json().get("runs").get(0);
        assertFields(
                run,
                "writes=200 readStalls=3 updates=210 writeCalls=50 batches=8 pagesPerBatch=25.0 logWaits=5"
                        + " dirtyPages=40 pagesWrittenPerSecond=200.0 steadyRatio=0.75 lostChanges=0 valid=true");
        assertThat(run.get("overTime").size()).isEqualTo(4);
        assertThat(names(run.get("overTime").get(1)))
                .isEqualTo("second accessesPerSecond pagesWrittenPerSecond dirtyPages");
        assertThat(report.report().table()).contains("writes", "stalls", "pages/batch", "written/s", "steady %");
        assertThat(report.report().page()).contains("Dirty pages over time");
        assertThat(report.conclusion(2, true)).contains("Every change was found in its page after the close.");
    }

    @Test
    void lostChangeMakesARunInvalid() {
        assertThat(Experiments.isValid(parse(TIMED), runWithWrites(69))).isFalse();
        assertThat(Experiments.isValid(parse(TIMED), runWithWrites(70))).isTrue();
    }

    @Test
    void wrongPageMakesARunInvalid() {
        RunAnswer wrong = new RunAnswer(null, counted(500).counted(), null, 3, "page 1");

        Run<Setting, Contender, RunAnswer> run = new Run<>(cell(LRU, 1, 1), TIMED_ANSWER, null, wrong);

        assertThat(Experiments.isValid(parse(TIMED), run)).isFalse();
    }

    @Test
    void conclusionComparesEveryContenderWithTheFirst() {
        assertThat(timedReport().conclusion(2, true))
                .contains("nb-gclock3 against lru: 2.00 times the throughput (95 % interval 2.00 … 2.00),"
                        + " +3.00 points of hit ratio.")
                .endsWith("Every page fixed was the right one.");
        assertThat(countedReport().conclusion(2, false))
                .containsExactly(
                        "nb-gclock3 against lru: +3.00 … +5.00 points of hit ratio.",
                        "Not every run ended with right pages, see above.");
    }

    @Test
    void handsMultiplyOnlyPoliciesThatHaveOne() {
        List<List<Cell<Setting, Contender>>> plan = Experiments.plan(parse(TIMED + " --hand atomic,striped"));

        assertThat(plan).hasSize(2 * 2).allMatch(cells -> cells.size() == 3);
    }

    @Test
    void hitsOfManyThreadsAreCountedWithYields() {
        assertThat(parse(TIMED).options()).containsEntry("countedInterleave", 16);
        assertThat(parse(COUNTED).options()).containsEntry("countedInterleave", 16);
    }

    @Test
    void workloadsWithAnEndAreCountedAndOthersTimedUnlessTheOptionsDecide() {
        assertThat(parse("").times().isTimed()).isTrue();
        assertThat(parse("--workload tpcc:2").times().isTimed()).isFalse();
        assertThat(parse("--workload tpcc:2 --warmup 0").times().isTimed()).isTrue();
        assertThat(parse("--warmup-accesses 5").times().isTimed()).isFalse();
        assertThat(parse("--warmup-accesses 5").options())
                .containsEntry("accesses", 6_000_000L)
                .containsEntry("warmupAccesses", 5L)
                .containsEntry("seconds", null)
                .containsEntry("interleave", 16)
                .containsEntry("hand", List.of("batched"));
    }
}
