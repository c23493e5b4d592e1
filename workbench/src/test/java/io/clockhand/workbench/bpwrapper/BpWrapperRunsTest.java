// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.environment.Installation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with child JVMs. */
class BpWrapperRunsTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Settings settings(String line) {
        return BpWrapperReportTest.settings(line + " --threads 2 --frames 1000 --out " + directory.resolve("out"));
    }

    private JsonNode run(Settings settings) throws IOException {
        boolean good = new BpWrapperRuns(
                        settings,
                        Installation.here(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
        assertThat(good).as(err.toString(StandardCharsets.UTF_8)).isTrue();
        return new ObjectMapper()
                .readTree(directory.resolve("out/bp-wrapper.json").toFile())
                .get("runs");
    }

    @Test
    void batchesTakeTheLockForAThirtiethOfTheHits() throws IOException {
        JsonNode runs = run(settings("--forms plain,batch --threshold 32,65 --accesses 64000 --warmup-accesses 1000"));

        assertThat(runs).hasSize(2);
        for (JsonNode run : runs) {
            assertThat(run.get("accesses").longValue()).isEqualTo(64_000);
            assertThat(run.get("hitRatio").doubleValue()).isOne();
            assertThat(run.get("operationsPerSecond").isNull()).isTrue();
        }
        assertThat(runs.get(0).get("lockAcquisitionsPerMillion").doubleValue()).isEqualTo(1_000_000);
        assertThat(runs.get(1).get("lockAcquisitionsPerMillion").doubleValue()).isBetween(1.0, 1_000_000 / 30.0);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("Left out: threshold 65 is greater than queue size 64.");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("the lock taken 1/32 as often", "Every page fixed was the right one.");
        try (Stream<Path> left = Files.list(directory.resolve("out"))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("bp-wrapper.json", "bp-wrapper.csv", "bp-wrapper.html");
        }
    }

    @Tag("ci")
    @Test
    void everyMissTakesTheLock() throws IOException {
        JsonNode run = run(settings("--forms both --miss-percent 50 --accesses 64000 --warmup-accesses 1000"))
                .get(0);

        assertThat(run.get("hitRatio").doubleValue()).isBetween(0.3, 0.51);
        assertThat(run.get("lockAcquisitionsPerMillion").doubleValue()).isGreaterThan(900_000);
    }

    @Test
    void timedRunHasThroughputAndCounts() throws IOException {
        JsonNode run = run(settings("--forms both --miss-percent 50 --seconds 1 --warmup 0"))
                .get(0);

        for (String measured : List.of("operationsPerSecond", "hitRatio", "lockAcquisitionsPerMillion")) {
            assertThat(run.get(measured).isNumber()).as(measured).isTrue();
        }
        assertThat(run.get("latencyMicros").has("p99")).isTrue();
        assertThat(run.get("contentionsPerMillion").isNull()).isFalse();
    }
}
