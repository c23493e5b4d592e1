// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.ParsedOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with child JVMs. */
class SharedUpdateRunsTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static Settings settings(String line) {
        return ParsedOptions.parse(new Settings(), Settings::check, line);
    }

    private JsonNode run(String line) throws IOException {
        boolean good = new SharedUpdateRuns(
                        settings(line + " --seconds 1 --warmup 0 --out " + directory.resolve("out")),
                        Installation.here(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
        assertThat(good).as(err.toString(StandardCharsets.UTF_8)).isTrue();
        return new ObjectMapper()
                .readTree(directory.resolve("out/shared-update.json").toFile());
    }

    private static List<String> of(JsonNode runs, String field) {
        List<String> values = new ArrayList<>();
        runs.forEach(run -> values.add(run.get(field).asText()));
        return values;
    }

    @Test
    void contendersOfADuelAreComparedWithTheBestExclusiveOne() throws IOException {
        JsonNode json =
                run("--threads 2 --protocols exclusive-best,exclusive-lock,exclusive-spin,shared --log cpu:0.4us"
                        + " --row-bytes 1 --row-layout interleaved");

        JsonNode runs = json.get("runs");
        assertThat(of(runs, "protocol"))
                .containsExactly("exclusive-best", "exclusive-lock", "exclusive-spin", "shared");
        assertThat(of(runs, "threads")).containsOnly("2");
        for (JsonNode run : runs) {
            assertThat(run.get("updatesPerSecond").isNumber()).isTrue();
            assertThat(run.get("logMicros").isNumber()).isTrue();
            assertThat(run.get("latchWaits").isNull()).isFalse();
            assertThat(run.get("retries").isNull()).isTrue();
            assertThat(run.get("log").textValue()).isEqualTo("cpu:0.4us");
            assertThat(run.get("rowLayout").textValue()).isEqualTo("interleaved");
            assertThat(run.get("rowBytes").intValue()).isOne();
            assertThat(run.get("pageLsnBytes").intValue()).isEqualTo(8);
            assertThat(run.get("valid").booleanValue()).isTrue();
        }
        assertThat(runs.get(0).get("bestOf").textValue()).startsWith("exclusive-");
        assertThat(runs.get(1).get("contextBytes").isNull()).isTrue();
        assertThat(runs.get(3).get("contextBytes").doubleValue()).isBetween(1.0, 100.0);
        assertThat(json.get("summary").get(3).get("ratio").has("value")).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("The best exclusive one", "shared against exclusive-best")
                .contains("Every page was right in the end.");
        try (Stream<Path> left = Files.list(directory.resolve("out"))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("shared-update.json", "shared-update.csv", "shared-update.html");
        }
    }

    private static final String WAITING = "--protocols exclusive-lock,shared --threads 4 --log wait:20us --page-lsn 10";

    @Tag("ci")
    @Test
    void contendersThatWaitRunOneAfterTheOther() throws IOException {
        JsonNode json = run(WAITING);

        JsonNode runs = json.get("runs");
        assertThat(of(runs, "protocol")).containsExactly("exclusive-lock", "shared");
        for (JsonNode run : runs) {
            for (String measured : List.of("logMicros", "latchWaits", "cpuPercent")) {
                assertThat(run.get(measured).isNumber()).as(measured).isTrue();
            }
        }
        JsonNode shared = json.get("summary").get(1);
        assertThat(shared.get("ratio").isNull()).isTrue();
        assertThat(shared.get("ratioOfPairs").has("median")).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("shared against exclusive-lock, one after the other");
    }

    @Tag("nightly")
    @Test
    void sharedUpdatesAreFasterAndSeldomWaitWhereTheLogWaits() throws IOException {
        JsonNode json = run(WAITING + " --repeat 3");

        JsonNode runs = json.get("runs");
        assertThat(runs.get(0).get("logMicros").doubleValue()).isGreaterThan(20);
        assertThat(runs.get(0).get("latchWaits").longValue()).isPositive();
        assertThat(runs.get(1).get("latchWaits").longValue())
                .isLessThan(runs.get(0).get("latchWaits").longValue());
        assertThat(runs.get(1).get("cpuPercent").doubleValue()).isBetween(0.0, 100.0);
        JsonNode shared = json.get("summary").get(1);
        assertThat(shared.get("ratioOfPairs").get("median").doubleValue()).isGreaterThan(1.5);
    }

    @Tag("ci")
    @Test
    void allocationsAreComparedWithAndWithoutSharedUpdates() throws IOException {
        JsonNode json = run("--load allocate --threads 4");

        JsonNode runs = json.get("runs");
        assertThat(of(runs, "protocol")).containsExactly("exclusive-latch", "shared");
        assertThat(of(runs, "log")).containsExactly("wait:20us", "wait:20us");
        assertThat(runs.get(0).get("rowLayout").isNull()).isTrue();
        for (JsonNode run : runs) {
            for (String measured : List.of("latchWaits", "waitingThreads", "cpuPercent", "secondsPerMillion")) {
                assertThat(run.get(measured).isNumber()).as(measured).isTrue();
            }
        }
        assertThat(json.get("options").get("load").textValue()).isEqualTo("allocate");
    }
}
