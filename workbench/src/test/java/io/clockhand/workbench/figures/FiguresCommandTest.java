// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class FiguresCommandTest {
    private static final String SIMULATE = "simulate --trace paper80 --policies lru,2q --frames 100,200";

    private static PublishedFigure tiny(String command, String relativeTo) {
        return new PublishedFigure(
                "tiny",
                "Hits",
                "A paper, Fig. 1",
                1,
                List.of(command, "--accesses 1000"),
                null,
                "results",
                List.of("policy"),
                "frames",
                "hits",
                "references",
                100.0,
                relativeTo,
                "times lru",
                false,
                Map.of("2q", Map.of("100", 1.5)),
                List.of("All of it."));
    }

    @TempDir
    Path directory;

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(FiguresCommand figures, String... arguments) {
        CommandLine workbench = Main.commandLine(figures);
        workbench.setErr(new PrintWriter(err, true));
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            return workbench.execute(
                    Stream.concat(Stream.of("figures"), Stream.of(arguments)).toArray(String[]::new));
        } finally {
            System.setOut(before);
        }
    }

    private static FiguresCommand command(PublishedFigure figure) {
        return new FiguresCommand(Main::commandLine, () -> List.of(figure));
    }

    @Test
    void withoutANameAllFiguresAreListed() {
        assertThat(run(new FiguresCommand(Main::commandLine))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("nb-gclock-fig-7 ", "bp-wrapper-table-3 ", "lru-c-fig-9 ", "concurrent-updates-table-2 ");
    }

    static List<PublishedFigure> figures() {
        return PublishedFigure.all();
    }

    @ParameterizedTest
    @MethodSource("figures")
    void commandOfEachFigureIsOneOfTheWorkbench(PublishedFigure figure) {
        for (boolean quick : List.of(true, false)) {
            Main.commandLine().parseArgs(figure.arguments(quick).toArray(String[]::new));
        }
        assertThat(figure.title()).isNotEmpty();
        assertThat(figure.minutes()).isPositive();
        assertThat(figure.shows()).isNotEmpty();
    }

    @Test
    void figureIsMeasuredByItsCommandAndShownBesideThePaper() throws IOException {
        String results = directory.toString();
        assertThat(run(command(tiny(SIMULATE, "lru")), "tiny", "--quick", "--seed", "7", "--out", results))
                .isZero();
        JsonNode report =
                new ObjectMapper().readTree(directory.resolve("figures.json").toFile());
        JsonNode own = new ObjectMapper()
                .readTree(directory.resolve("tiny/simulate.json").toFile());
        assertThat(own.at("/options/seed").asInt()).isEqualTo(7);
        assertThat(own.at("/results/0/references").asInt()).isEqualTo(200_000);
        double ratio =
                own.at("/results/2/hits").asDouble() / own.at("/results/0/hits").asDouble();
        JsonNode points = report.path("points");
        assertThat(points).hasSize(5);
        assertThat(points.get(0).path("value").asDouble()).isEqualTo(100);
        assertThat(points.findValuesAsText("line")).contains("2q", "2q, paper");
        assertThat(points.findValuesAsText("value"))
                .contains("1.5")
                .anySatisfy(value -> assertThat(Double.parseDouble(value)).isEqualTo(100 * ratio));
        assertThat(report.at("/figures/0/shows").asText()).isEqualTo("All of it.");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("A paper, Fig. 1: Hits", "Every command ended well.");
        assertThat(Files.readString(directory.resolve("figures.html"))).contains("2q, paper");
    }

    @Test
    void pointWithoutItsFieldsOrItsBaselineHasNoValue() throws IOException {
        JsonNode report = new ObjectMapper().readTree("""
                {"results": [
                  {"policy": "lru", "frames": 100, "hits": 20, "references": 50},
                  {"policy": "2q", "frames": 100, "hits": 30, "references": 50},
                  {"policy": "2q", "frames": 200, "hits": 40, "references": 50},
                  {"policy": "arc", "frames": 100, "references": 50},
                  {"policy": "arc", "hits": 30, "references": 50},
                  {"frames": 100, "hits": 30, "references": 50}
                ]}""");
        assertThat(tiny(SIMULATE, "lru").points(report))
                .extracting(point -> point.label() + " " + point.x() + " " + point.value())
                .containsExactly(
                        "lru 100 100.0",
                        "2q 100 150.0",
                        "2q 200 null",
                        "arc 100 null",
                        "arc null null",
                        " 100 150.0",
                        "2q, paper 100 1.5");
    }

    @Test
    void figureWithoutAValueFailsAndThePageSaysWhichPointsAreMissing() throws IOException {
        String results = directory.toString();
        assertThat(run(command(tiny(SIMULATE, "arc")), "tiny", "--quick", "--out", results))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "Not measured, so not drawn: lru at 100; lru at 200; 2q at 100; 2q at 200.",
                        "Not every command ended well");
        JsonNode report =
                new ObjectMapper().readTree(directory.resolve("figures.json").toFile());
        assertThat(report.at("/figures/0/good").asBoolean()).isFalse();
        assertThat(report.at("/points/0/value").isNull()).isTrue();
        assertThat(Files.readString(directory.resolve("figures.html"))).contains("Not measured, so not drawn: lru at");
    }

    @Test
    void commandThatFailsMakesTheExitCodeOne() {
        assertThat(run(command(tiny("simulate --trace nowhere.lis", null)), "--all", "--out", directory.toString()))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Not every command ended well");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nb-gclock-fig-71                 | did you mean nb-gclock-fig-7? Possible: nb-gclock-fig-7,
            nb-gclock-fig-7 nb-gclock-fig-7  | names a figure twice
            --all lru-c-fig-6                | names exclude it
            --quik                           | did you mean --quick
            """)
    void wrongUsageIsExplainedInOneSentence(String arguments, String expected) {
        assertThat(run(new FiguresCommand(Main::commandLine), arguments.split(" +", -1)))
                .isEqualTo(2);
        assertThat(err.toString()).contains(expected);
        assertThat(err.toString().strip().lines()).hasSize(1);
    }
}
