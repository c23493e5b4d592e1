// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @Test
    void csvQuotesWhatNeedsIt() {
        assertThat(Results.quoted("x,\"y\"")).isEqualTo("\"x,\"\"y\"\"\"");
        assertThat(Results.notCompared(COLUMNS, List.of(new Run(1, null))).csv())
                .isEqualTo("name,figure\r\n1,\r\n");
    }

    private record Run(int repeat, Double figure) {}

    @Test
    void ratiosAreOfTheSameRepeatAndSkipWhatIsMissing() {
        record Repeat(String name, int repeat, Double rate) {}
        List<Repeat> runs = List.of(
                new Repeat("base", 2, 4.0),
                new Repeat("base", 1, 2.0),
                new Repeat("base", 3, 1.0),
                new Repeat("base", 4, 0.0),
                new Repeat("base", 5, null),
                new Repeat("own", 1, 3.0),
                new Repeat("own", 2, 8.0),
                new Repeat("own", 3, null),
                new Repeat("own", 4, 1.0),
                new Repeat("own", 5, 1.0));
        Results<Repeat> results = new Results<>(
                List.of(Column.contender("name", Repeat::name), Column.figure("rate", Repeat::rate)),
                runs,
                "rate",
                run -> new Cell<>("", run.name(), run.repeat()),
                run -> null,
                null,
                null);

        assertThat(results.lines().get(1).pairs()).isEqualTo(2);
        assertThat(results.lines().get(1).paired()).isEqualTo(new Spread(1.5, 1.75, 2));
    }

    @Test
    void tableAndConclusionArePrintedEvenIfTheFilesCannotBeWritten(@TempDir Path directory) throws IOException {
        Files.createDirectories(directory.resolve("x.html/full"));
        Report report = new Report("x", "X", "", "The note.", Environment.here(List.of()), Map.of())
                .results("runs", Results.notCompared(COLUMNS, List.of()))
                .text("The table.\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);

        assertThatThrownBy(() -> report.publish(directory, printed, "The conclusion."))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("cannot write the results to " + directory);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsSubsequence("The table.", "The note.", "The conclusion.")
                .doesNotContain("Written");
    }

    @Test
    void textOfTheDataCannotEndTheScriptOfThePage() throws IOException {
        String path = "<!--<script>/*data*//*chart.js*/</script>";
        Report report = new Report("x", "X", "", "", Environment.here(List.of()), Map.of("path", path))
                .results("runs", Results.notCompared(COLUMNS, List.of()));

        String page = report.page();
        String data = page.substring(page.indexOf("id=\"data\">") + "id=\"data\">".length());
        String json = data.substring(0, data.indexOf("</script>"));

        assertThat(json).doesNotContain("<");
        assertThat(new ObjectMapper().readTree(json).at("/report/options/path").textValue())
                .isEqualTo(path);
    }

    private static final List<Column<Run>> COLUMNS =
            List.of(Column.contender("name", Run::repeat), Column.figure("figure", Run::figure));

    @Test
    void sumAndLargestNeedEveryRepeatAndMediansDoNot() {
        List<Run> all = List.of(new Run(1, 1000.0), new Run(2, 30.0));
        List<Run> some = List.of(new Run(1, 1000.0), new Run(2, null));

        assertThat(figure().added().text(all)).isEqualTo("1,030");
        assertThat(figure().added().text(some)).isEqualTo("-");
        assertThat(figure().largest().text(all)).isEqualTo("1,000");
        assertThat(figure().largest().text(some)).isEqualTo("-");
        assertThat(figure().text(all)).isEqualTo("515");
        assertThat(figure().text(some)).isEqualTo("1,000");
        assertThat(figure().asPercent("share %").text(some)).isEqualTo("100000.00");
    }

    private static Column<Run> figure() {
        return Column.<Run>figure("figure", Run::figure).as("figure", "%,.0f");
    }

    @Test
    void ratioIsClaimedOnlyIfItsIntervalLeavesOutOneAndContendersRanInTurn() {
        assertThat(new Ratio(1.1, 1.05, 1.2, true).evidence()).isEqualTo("95 % interval 1.05 … 1.20");
        assertThat(new Ratio(0.9, 0.8, 0.95, true).evidence()).isEqualTo("95 % interval 0.80 … 0.95");
        assertThat(new Ratio(1.1, 0.95, 1.2, true).evidence()).endsWith(", no difference shown");
        assertThat(new Ratio(1.1, 1.05, 1.2, false).evidence()).endsWith(", one after the other: nothing is claimed");
        assertThat(new Ratio(1.1, 1.05, 1.2, true)).hasToString("1.10 (1.05 … 1.20)");
    }
}
