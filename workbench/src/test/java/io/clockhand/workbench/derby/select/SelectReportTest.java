// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import static io.clockhand.workbench.derby.tpcc.TpccReportTest.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyExperiment.Setting;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.select.Selects.Selected;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Ratio;
import io.clockhand.workbench.experiment.report.Report;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectReportTest {
    static DerbySelect parse(String line) {
        return Experiments.parse(new DerbySelect(), line);
    }

    private static final String TWO_POOLS = "--terminals 1,4 --pool-percent 100,2.5 --seconds 4 --repeat 2";

    private static final List<String> NAMES = List.of("derby", "nb-gclock3");

    private static Cell<Setting, Contender> cell(String cache, Setting setting, int repeat) {
        return new Cell<>(setting, Contender.of(cache), repeat);
    }

    private static List<Run<Setting, Contender, Selected>> duel(
            int terminals, double poolPercent, int repeat, long derby, long other) {
        return Experiments.duel(
                NAMES.stream()
                        .map(name -> cell(name, new Setting(terminals, poolPercent), repeat))
                        .toList(),
                new Selected(0, 4, 0, null, poolPercent == 100 ? 30_000 : 700),
                contender -> null,
                derby,
                other);
    }

    private static DerbySelect experiment() {
        DerbySelect experiment = parse(TWO_POOLS + " --heap 512m");
        experiment.sizePools(30_100, new Journal(new PrintStream(OutputStream.nullOutputStream()), null));
        return experiment;
    }

    private static List<Run<Setting, Contender, Selected>> runs() {
        List<Run<Setting, Contender, Selected>> runs = new ArrayList<>();
        runs.addAll(duel(1, 100, 1, 100_000, 110_000));
        runs.addAll(duel(1, 100, 2, 200_000, 220_000));
        runs.addAll(duel(1, 2.5, 1, 1_000, 3_000));
        runs.add(new Run<>(
                cell("derby", new Setting(4, 100.0), 1), new Selected(1_200_000, 4, 0, null, 30_000), null, null));
        runs.add(new Run<>(cell("nb-gclock3", new Setting(4, 100.0), 1), null, null, null));
        return runs;
    }

    private static Report report() {
        return Experiments.report(experiment(), runs());
    }

    private static Ratio ratio(int terminals, double poolPercent) {
        return Experiments.lines(experiment(), runs()).stream()
                .filter(line ->
                        line.contender().equals("nb-gclock3") && line.setting().equals(List.of(terminals, poolPercent)))
                .findFirst()
                .orElseThrow()
                .ratio();
    }

    @Test
    void wrongRowsMakeARunInvalid() {
        Cell<Setting, Contender> cell = cell("derby", new Setting(4, 100.0), 1);
        Selected wrong = new Selected(9, 4, 2, "row 1 was not found", 30_000);

        assertThat(wrong.wrong()).isEqualTo("read 2 wrong rows: row 1 was not found");
        assertThat(Experiments.isValid(experiment(), new Run<>(cell, wrong, null, null)))
                .isFalse();
        assertThat(Experiments.isValid(experiment(), new Run<>(cell, new Selected(9, 4, 0, null, 30_000), null, null)))
                .isTrue();
    }

    @Test
    void jsonHasTheFieldsOfTheConventions() throws IOException {
        JsonNode json = new ObjectMapper().readTree(report().json());

        assertThat(json.fieldNames())
                .toIterable()
                .contains("command", "version", "environment", "options", "runs", "summary");
        assertThat(json.get("command").textValue()).isEqualTo("derby-select");
        assertThat(names(json.get("runs").get(0)))
                .isEqualTo("cache terminals poolPercent repeat poolPages selectsPerSecond selects "
                        + "wrongRows maxResidentPages valid copy");
        assertThat(names(json.get("summary").get(0)))
                .isEqualTo("cache terminals poolPercent selectsPerSecond copy ratioToDerby pairs ratio "
                        + "duel rounds sliceSeconds");
        assertThat(json.get("options").fieldNames())
                .toIterable()
                .contains("caches", "terminals", "poolPercent", "rows", "keys", "seconds", "warmup", "repeat")
                .contains("out", "data", "heap", "derby", "seed", "profile", "debug");
    }

    @Test
    void ratiosAreOfContendersWithTheSamePool() throws IOException {
        assertThat(ratio(1, 100)).hasToString("1.10 (1.10 … 1.10)");
        assertThat(ratio(1, 2.5)).hasToString("3.00 (3.00 … 3.00)");
        assertThat(new ObjectMapper()
                        .readTree(report().json())
                        .get("summary")
                        .get(0)
                        .get("selectsPerSecond"))
                .hasToString("{\"min\":100000.0,\"median\":150000.0,\"max\":200000.0}");
    }

    @Test
    void conclusionHasALineForEachContender() {
        assertThat(Experiments.conclusion(experiment(), runs(), 2, true))
                .containsExactly(
                        "nb-gclock3 against derby: times the selects: 1.10 with 1 terminal, a pool of 100 %"
                                + " (95 % interval 1.10 … 1.10),"
                                + " 3.00 with 1 terminal, a pool of 2.5 %"
                                + " (95 % interval 3.00 … 3.00).",
                        "Every row read had its own content.");
        assertThat(Experiments.conclusion(experiment(), runs(), 2, false))
                .endsWith("Not every run ended with right rows, see above.");
    }

    @Test
    void contendersOfASettingAreOneGroup() {
        List<List<Cell<Setting, Contender>>> plan = Experiments.plan(parse(TWO_POOLS));

        assertThat(plan).hasSize(2 * 2 * 2);
        assertThat(plan.get(7).stream().map(cell -> cell.fileName("derby-select")))
                .containsExactly(
                        "derby-select-derby-4-terminals-pool-of-2.5-repeat-2",
                        "derby-select-nb-gclock3-4-terminals-pool-of-2.5-repeat-2");
    }

    @Test
    void everyRunHasTheHeapOfTheLargestPool() {
        String heap =
                parse(TWO_POOLS).pool(new Setting(1, 100.0), 30_000, 8L << 30).heap();

        assertThat(parse(TWO_POOLS + " --heap " + heap).pool(new Setting(1, 2.5), 30_000, 8L << 30))
                .isEqualTo(new Pool(750, 750, heap));
        assertThat(parse(TWO_POOLS).pool(new Setting(1, 2.5), 30_000, 8L << 30).heap())
                .isNotEqualTo(heap);
        assertThatThrownBy(() -> parse(TWO_POOLS).pool(new Setting(1, 100.0), 30_000_000, 8L << 30))
                .hasMessageEndingWith("so lower --pool-percent or --rows, or compare fewer --caches");
    }
}
