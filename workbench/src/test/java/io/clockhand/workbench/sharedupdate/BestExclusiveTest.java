// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import static io.clockhand.workbench.sharedupdate.driver.Protocol.EXCLUSIVE_BEST;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.EXCLUSIVE_LATCH;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.EXCLUSIVE_LOCK;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.EXCLUSIVE_SPIN;
import static io.clockhand.workbench.sharedupdate.driver.Protocol.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.duel.Rounds;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Played;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.report.Turns;
import io.clockhand.workbench.sharedupdate.driver.Load;
import io.clockhand.workbench.sharedupdate.driver.LogCost;
import io.clockhand.workbench.sharedupdate.driver.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.RunAnswer.Counted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BestExclusiveTest {
    private static final Setting SETTING = new Setting(Load.ROWS, LogCost.parse("cpu:1us"), RowLayout.PADDED, 8, 8);
    private static final List<Contender> CONTENDERS = List.of(
            new Contender(EXCLUSIVE_LOCK, 1),
            new Contender(EXCLUSIVE_LOCK, 2),
            new Contender(EXCLUSIVE_SPIN, 1),
            new Contender(EXCLUSIVE_SPIN, 2),
            new Contender(EXCLUSIVE_LATCH, 2),
            new Contender(SHARED, 1),
            new Contender(SHARED, 2));
    private static final RunAnswer COUNTED =
            new RunAnswer(0, 1, null, new Counted(1_000_000, 250, 1.25, null), 48.0, null);

    private static Settings settings() {
        return SharedUpdateRunsTest.settings("--threads 1,2 --seconds 1 --protocols"
                + " exclusive-best,exclusive-lock,exclusive-spin,exclusive-latch,shared");
    }

    private static List<Run> duel(int repeat, RunAnswer timed, long... operations) {
        List<Cell<Setting, Contender>> cells = CONTENDERS.stream()
                .map(contender -> new Cell<>(SETTING, contender, repeat))
                .toList();
        Rounds rounds = Played.inTurns(cells.stream().map(Cell::name).toList(), operations);
        return cells.stream()
                .map(cell -> new Run(cell, timed, new Turns(rounds, cell.name()), COUNTED, null))
                .toList();
    }

    private static RunAnswer timed(String wrong) {
        return new RunAnswer(0, 0, null, null, null, wrong);
    }

    private static SharedUpdateReport report() {
        List<Run> runs = new ArrayList<>(duel(1, timed(null), 500, 300, 600, 200, 900, 450, 1_000));
        runs.addAll(duel(2, timed(null), 500, 300, 400, 200, 900, 450, 1_000));
        runs.addAll(duel(3, timed(null), 500, 300, 400, 200, 900, 450, 1_000));
        return new SharedUpdateReport(settings(), BestExclusive.addTo(runs, settings()));
    }

    @Test
    void bestIsThatOfAllRepeatsAndThreadsAndNoLatchOfThePool() {
        List<Run> best = report().runs().stream()
                .filter(run -> run.protocol() == EXCLUSIVE_BEST)
                .toList();

        assertThat(best).hasSize(3 * 2).allSatisfy(run -> {
            assertThat(run.bestOf().cell().contender()).isEqualTo(new Contender(EXCLUSIVE_LOCK, 1));
            assertThat(run.updatesPerSecond()).isEqualTo(500);
        });
        assertThat(best).extracting(run -> run.cell().contender().threads()).containsExactly(1, 2, 1, 2, 1, 2);
    }

    @Test
    void ratiosAreToTheBestWithAnyNumberOfThreads() {
        List<Results.Line<Run>> lines = report().results().lines();

        assertThat(lines).hasSize(2 * 4 + 1);
        assertThat(lines.get(2).ratio()).hasToString("1.00 (1.00 … 1.00)");
        assertThat(lines.get(3).ratio()).hasToString("0.60 (0.60 … 0.60)");
        assertThat(lines.get(7).ratio()).hasToString("0.90 (0.90 … 0.90)");
        assertThat(lines.get(8).ratio()).hasToString("2.00 (2.00 … 2.00)");
    }

    @Test
    void conclusionNamesTheBest() {
        assertThat(report().conclusion(true).lines())
                .contains(
                        "The best exclusive one with log cpu:1us, padded rows of 8 bytes, page LSN of 8 bytes:"
                                + " exclusive-lock, 1 thread, 500 updates a second.",
                        "shared against exclusive-best: times the throughput: 0.90 with 1 thread (95 % interval 0.90"
                                + " … 0.90), 2.00 with 2 threads (95 % interval 2.00 … 2.00).")
                .endsWith("Every page was right in the end.");
        assertThat(report().conclusion(false).lines()).endsWith("Not every run ended with a right page, see above.");
    }

    @Test
    void pageHasTheChartsAndNoPlaceholderLeft() {
        assertThat(report().report(new Memory(1 << 27, 1 << 26)).page())
                .contains("Chart.js v", "Throughput", "Latch waits")
                .doesNotContain("/*data*/", "/*chart.js*/", "/*report.css*/", "/*report.js*/", "/*title*/");
    }

    @Test
    void wrongPageMakesTheRunInvalidAndCountsForTheBest() {
        List<Run> runs = BestExclusive.addTo(duel(1, timed("row 3"), 5, 3, 6, 2, 9, 4, 10), settings());

        assertThat(runs).noneMatch(Run::isValid);
        assertThat(runs.get(0).bestOf().cell().contender()).isEqualTo(new Contender(EXCLUSIVE_SPIN, 1));
    }

    @Test
    void thereIsNoBestIfEveryExclusiveRunHasFailed() {
        List<Run> failed = CONTENDERS.stream()
                .map(contender -> new Run(new Cell<>(SETTING, contender, 1), null, null, null, null))
                .toList();
        SharedUpdateReport report = new SharedUpdateReport(settings(), BestExclusive.addTo(failed, settings()));

        assertThat(report.runs().get(0).updatesPerSecond()).isNull();
        assertThat(report.runs().get(0).isValid()).isFalse();
        assertThat(report.conclusion(false).lines()).hasSize(1);
        assertThat(report.report(new Memory(1 << 27, 1 << 26)).json()).contains("\"updatesPerSecond\" : null");
    }
}
