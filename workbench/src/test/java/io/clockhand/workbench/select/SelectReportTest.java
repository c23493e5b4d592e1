// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.report.Json;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.select.SelectReport.Run;
import io.clockhand.workbench.select.driver.Keys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SelectReportTest {
    static final Settings SETTINGS = new Settings(
            List.of(Contender.of("derby"), Contender.of("nb-gclock3")),
            List.of(1, 4),
            List.of(100.0, 2.5),
            440_000,
            Keys.UNIFORM,
            4,
            2,
            2,
            Path.of("out"),
            Path.of("data"),
            null,
            "10.16.1.1",
            1,
            false,
            false);

    private static Run run(String cache, int terminals, double poolPercent, int repeat, Double perSecond) {
        Long selects = perSecond == null ? null : Math.round(4 * perSecond);
        Long wrongRows = perSecond == null ? null : 0L;
        Integer resident = perSecond == null ? null : 30_000;
        return new Run(
                cache,
                terminals,
                poolPercent,
                repeat,
                30_100,
                perSecond,
                selects,
                wrongRows,
                resident,
                perSecond != null);
    }

    private static SelectReport report() {
        List<Run> runs = List.of(
                run("derby", 1, 100, 1, 100_000.0),
                run("nb-gclock3", 1, 100, 1, 110_000.0),
                run("derby", 1, 100, 2, 200_000.0),
                run("nb-gclock3", 1, 100, 2, 180_000.0),
                run("derby", 1, 2.5, 1, 1_000.0),
                run("nb-gclock3", 1, 2.5, 1, 3_000.0),
                run("derby", 4, 100, 1, 300_000.0),
                run("nb-gclock3", 4, 100, 1, null));
        return new SelectReport(
                "derby-select",
                "test",
                SelectReport.NOTE,
                Environment.here(List.of("-Xmx512m")),
                SETTINGS.withHeap("512m").asOptions(),
                Map.of(),
                runs,
                SelectReport.summarize(SETTINGS, runs));
    }

    private static Spread ratio(int terminals, double poolPercent) {
        return report().summary().stream()
                .filter(line -> line.cache().equals("nb-gclock3")
                        && line.terminals() == terminals
                        && line.poolPercent() == poolPercent)
                .findFirst()
                .orElseThrow()
                .ratioToDerby();
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = new ObjectMapper().readTree(Json.of(report()));

        assertThat(json.fieldNames())
                .toIterable()
                .contains("command", "version", "environment", "options", "runs", "summary");
        assertThat(json.get("command").textValue()).isEqualTo("derby-select");
        assertThat(json.get("runs").get(0).fieldNames())
                .toIterable()
                .containsExactly(
                        "cache",
                        "terminals",
                        "poolPercent",
                        "repeat",
                        "poolPages",
                        "selectsPerSecond",
                        "selects",
                        "wrongRows",
                        "maxResidentPages",
                        "valid");
        assertThat(json.get("summary").get(0).fieldNames())
                .toIterable()
                .containsExactly("cache", "terminals", "poolPercent", "selectsPerSecond", "ratioToDerby");
        assertThat(json.get("options").fieldNames())
                .toIterable()
                .hasSize(Settings.class.getRecordComponents().length)
                .contains("poolPercent", "heap");
    }

    @Test
    void ratiosAreOfPairedRepeatsWithTheSamePool() {
        assertThat(ratio(1, 100)).isEqualTo(new Spread(0.9, 1.0, 1.1));
        assertThat(ratio(1, 2.5)).isEqualTo(new Spread(3, 3, 3));
        assertThat(report().summary().get(0).selectsPerSecond()).isEqualTo(new Spread(100_000, 150_000, 200_000));
    }

    @Test
    void whatWasNotMeasuredIsNull() throws IOException {
        JsonNode json = new ObjectMapper().readTree(Json.of(report()));

        assertThat(json.get("runs").get(7).get("selectsPerSecond").isNull()).isTrue();
        assertThat(json.get("runs").get(7).get("valid").booleanValue()).isFalse();
        assertThat(ratio(4, 100)).isNull();
    }

    @Test
    void tableHasALineForEachCachePoolAndNumberOfTerminals() {
        assertThat(Renderings.table(report()).lines())
                .hasSize(1 + 8)
                .anyMatch(line -> line.matches("nb-gclock3 +1 +2.5 +3,000 +3,000 +3,000 +3.00 +3.00 +3.00 +30,000"))
                .anyMatch(line -> line.matches("nb-gclock3 +4 +100 +- +- +- +- +- +- +-"));
    }

    @Test
    void csvHasALineForEveryRun() {
        assertThat(Renderings.csv(report()).lines())
                .hasSize(1 + 8)
                .allMatch(line -> line.split(",", -1).length == 10)
                .contains("derby,1,2.5,1,30100,1000.0,4000,0,30000,true")
                .contains("nb-gclock3,4,100.0,1,30100,,,,,false");
    }

    @Test
    void pageNeedsNoNetworkAndHasNoPlaceholderLeft() {
        String page = Renderings.page(report());

        assertThat(page).contains("Chart.js v", "function compare(", "--ink:");
        assertThat(page).doesNotContain("/*data*/", "/*chart.js*/", "/*report.css*/", "/*report.js*/");
        assertThat(page).doesNotContain("<link", "<script src", "@import", "url(http");
    }

    @Test
    void conclusionHasALineForEachComparison() {
        assertThat(Conclusion.of(report(), true).lines())
                .containsExactly(
                        "nb-gclock3 did 1.00 times as many selects as derby at 1 terminal with a pool of 100 %"
                                + " (0.90 … 1.10 in 2 pairs of runs, no difference shown).",
                        "nb-gclock3 did 3.00 times as many selects as derby at 1 terminal with a pool of 2.5 %"
                                + " (3.00 … 3.00 in 1 pair of runs, too few to claim a difference).",
                        "Every row read had its own content.");
        assertThat(Conclusion.of(report(), false)).endsWith("Not every run ended with right rows, see above.");
    }

    @Test
    void contendersAlternateWithinEveryRepeat() {
        List<Cell> plan = Cell.plan(SETTINGS);

        assertThat(plan).hasSize(16).hasSize(SETTINGS.runs());
        assertThat(plan.stream()
                        .filter(cell -> cell.terminals() == 4 && cell.poolPercent() == 2.5)
                        .map(cell -> cell.cache().name() + cell.repeat()))
                .containsExactly("derby1", "nb-gclock31", "derby2", "nb-gclock32");
        assertThat(plan.stream().map(Cell::fileName)).doesNotHaveDuplicates().contains("derby-select-derby-4-2.5-2");
    }

    @Test
    void everyRunHasTheHeapOfTheLargestPool() {
        String heap = SETTINGS.largestPool(30_000, 8L << 30).heap();

        assertThat(SETTINGS.withHeap(heap).pool(2.5, 30_000, 8L << 30)).isEqualTo(new Pool(750, 750, heap));
        assertThat(SETTINGS.pool(2.5, 30_000, 8L << 30).heap()).isNotEqualTo(heap);
        assertThatThrownBy(() -> SETTINGS.largestPool(30_000_000, 8L << 30))
                .hasMessageEndingWith("so lower --pool-percent or --rows");
    }
}
