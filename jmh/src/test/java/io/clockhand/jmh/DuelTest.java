// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.duel.Referee;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DuelTest {
    private static final String SPIN = "TinyBenchmark.spin$";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** A contender that fails leaves its log. */
    @AfterEach
    void deleteLogs() throws IOException {
        Matcher log = Pattern.compile("its log is (\\S+)[/\\\\]log").matcher(err.toString());
        while (log.find()) {
            try (Stream<Path> tree = Files.walk(Path.of(log.group(1)).getParent())) {
                for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    @Tag("ci")
    @Test
    void linesOfTheJvmItselfAreIgnored() {
        assertThat(duel(SPIN, "--between", "work=little,much", "--jvm-args", "-XX:+UseSerialGC -Xlog:gc*,safepoint"))
                .isZero();
    }

    @Tag("ci")
    @Test
    void chartIsDrawn() throws IOException {
        Path file = directory.resolve("charts").resolve("duel.png");
        assertThat(duel(SPIN, "--between", "work=little,much", "--chart", file.toString()))
                .isZero();
        BufferedImage chart = ImageIO.read(file.toFile());
        assertThat(IntStream.range(0, chart.getWidth())
                        .flatMap(x -> IntStream.range(0, chart.getHeight()).map(y -> chart.getRGB(x, y)))
                        .distinct())
                .as("colours: background, text, intervals")
                .hasSizeGreaterThan(2);
    }

    @Test
    void valuesOfAParameterAreCompared() throws IOException {
        Path file = directory.resolve("results").resolve("duel.json");
        assertThat(duel(SPIN, "--between", "work=little,much", "-t", "2", "--out", file.toString()))
                .isZero();
        assertThat(out.toString()).contains("operations/s", "little ", "much ");
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.at("/options/benchmark").asText()).isEqualTo("io.clockhand.jmh.TinyBenchmark.spin");
        assertThat(report.at("/options/threads").asInt()).isEqualTo(2);
        assertThat(report.at("/environment/cores").asInt()).isPositive();
        JsonNode result = report.at("/trials/0/result");
        assertThat(result.at("/rounds").asInt()).isEqualTo(10);
        assertThat(result.at("/inTurns").asBoolean()).isEqualTo(Referee.hasSignals());
        JsonNode much = result.at("/contenders/1");
        assertThat(much.at("/contender").asText()).isEqualTo("much");
        assertThat(much.has("ratioHigh")).isTrue();
        assertThat(much.has("operationsPerSecond")).isTrue();
        assertThat(report.at("/trials/0/slices/processes/0")).hasSize(10);
        assertThat(err.toString()).containsPattern("Duel: 0 %, starting (little|much)");
        assertThat(out.toString()).doesNotContain("starting");
    }

    @Tag("nightly")
    @Test
    void contenderThatDoesMoreIsSlower() {
        assertThat(duel(SPIN, "--between", "work=little,much")).isZero();
        assertThat(out.toString()).containsPattern("much .* yes");
    }

    @Tag("ci")
    @Test
    void ratioCanBeRelatedToAnyContender() {
        assertThat(duel(SPIN, "--between", "work=little,much", "--against", "much"))
                .isZero();
        assertThat(out.toString()).contains("Ratios of sums against much");
    }

    @Tag("ci")
    @Test
    void setsOfJarsAreCompared() {
        String classPath = System.getProperty("java.class.path");
        assertThat(duel(SPIN, "-p", "work=little", "--jars", "before=" + classPath + ",after=" + classPath))
                .isZero();
        assertThat(out.toString()).contains("before ", "after ");
    }

    @Tag("ci")
    @Test
    void trialsOfAContenderAgainstItselfAreSummedUp() {
        assertThat(duel(SPIN, "--between", "work=little,little", "--trials", "2", "--jvms", "2"))
                .isZero();
        assertThat(out.toString()).contains("little#2: ratio", "in 2 trials", "2 processes each, 5 rounds a process");
    }

    @Tag("nightly")
    @Test
    void slowedContenderIsSlower() {
        assertThat(duel(SPIN, "--between", "work=little,little", "--slow", "little#2=90%"))
                .isZero();
        assertThat(out.toString()).containsPattern("little#2 .* yes");
    }

    @Tag("ci")
    @Test
    void contendersThatRunOneAfterAnotherAreSaidToDoSo() {
        assertThat(duel(SPIN, "--between", "work=little,much", "--one-after-another"))
                .isZero();
        assertThat(out.toString()).contains("ONE AFTER ANOTHER").doesNotContain("yes");
    }

    @Test
    void contenderThatFailsEndsTheDuelWithItsOwnWords() {
        failAndExpect("throws-later", "throws-later failed: java.lang.IllegalStateException: enough is enough");
    }

    @Tag("ci")
    @ParameterizedTest
    @CsvSource({
        "throws-at-once, throws-at-once failed: java.lang.IllegalArgumentException: no work throws-at-once",
        "exits, exits ended with status 5"
    })
    void contenderThatFailsInAnotherWayDoesSo(String work, String message) {
        failAndExpect(work, message);
    }

    private void failAndExpect(String work, String message) {
        assertThat(duel(SPIN, "--between", "work=little," + work)).isEqualTo(1);
        assertThat(err.toString()).contains("Duel: " + message).contains("its log is");
        assertThat(out.toString()).isEmpty();
        assumeTrue(Referee.hasSignals());
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Tag("ci")
    @Test
    void valueThatTheBenchmarkDoesNotListIsTheLikelyCauseOfAFailure() {
        assertThat(duel(SPIN, "--between", "work=little,litle")).isEqualTo(2);
        assertThat(err.toString())
                .contains("litle failed", "does not list work=litle; possible: little, much, throws-at-once");
    }

    @Tag("ci")
    @Test
    void valueThatTheBenchmarkDoesNotListMayBeRight() {
        assertThat(duel(SPIN, "-p", "work=little", "--between", "factor=1,3")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "TinyBench; --between work=little,much; finds several benchmarks; io.clockhand.jmh.TinyBenchmark.spin",
                "TinyBenhc; --between work=little,much; no benchmark 'TinyBenhc'; io.clockhand.jmh.TinyBenchmark.spin",
                "Tiny(; --between work=little,much; no regular expression; Tiny(",
                "spinAgain; --between wrok=little,much; no parameter 'wrok'; possible: factor, work",
                "spinAgain; --between factor=1,2; choose a value of the parameter work; possible: little, much",
                "spinAgain; --between work=little,much -p work=much; both name work; -p",
                "spinAgain; --between work=little; needs two contenders; two",
                "spinAgain; --between work=little,,much; a value is missing; little,,much",
                "spinAgain; -p work=little; nothing to compare; --between or --jars",
                "spinAgain; --jars a=none.jar,b=none.jar; there is no none.jar; --jars",
                "spinAgain; --between work=little,much --slow mcuh=15%; no contender 'mcuh'; possible: little, much",
                "spinAgain; --between work=little,much --slow much=15; takes a share; not 15",
                "spinAgain; --between work=little,much --against x; no contender 'x'; possible: little, much",
                "spinAgain; --between work=little,much --jvms 0; --jvms must lie in; 100",
                "spinAgain; --between work=little,much --sceonds 1; --sceonds; Duel:"
            })
    void wrongUsageIsAnsweredWithWhatIsPossible(String benchmark, String options, String problem, String remedy) {
        List<String> arguments = new ArrayList<>(List.of(benchmark));
        arguments.addAll(List.of(options.split(" ", -1)));
        assertThat(duel(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString()).startsWith("Duel: ").contains(problem, remedy);
        assertThat(out.toString()).isEmpty();
    }

    /** Short slices: the tests are about everything but the figures. */
    private int duel(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--jvms")) {
            all.addAll(List.of("--jvms", "1"));
        }
        all.addAll(List.of("--slice", "0.02", "--seconds", "0.2", "--warmup", "0.1"));
        CommandLine command = Duel.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(all.toArray(String[]::new));
    }
}
