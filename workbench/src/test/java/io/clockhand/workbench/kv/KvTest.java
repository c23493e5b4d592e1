// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.assertNumbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.experiment.Experiments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The whole command on small stores, with child JVMs. */
class KvTest {
    private static final String SMALL = "--entries 1000 --seconds 1 --warmup 0 --slice 0.1 ";

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Kv parse(String options) {
        return Experiments.parse(new Kv(), options + " --out " + directory);
    }

    private String runAndCheck(String options, int runs) throws IOException {
        Experiments.Output output = Experiments.run(parse(SMALL + options));

        assertThat(output.runs()).hasSize(runs);
        for (JsonNode run : output.runs()) {
            assertThat(run.get("operationsPerSecond").doubleValue())
                    .as(run.toString())
                    .isPositive();
            assertNumbers(run, "processorMicros");
            assertThat(run.get("storeBytes").longValue()).isPositive();
            assertFields(run, "valid=true");
        }
        assertThat(output.out()).contains("Everything that was read was right.");
        return output.out();
    }

    @Test
    void workOnTheExampleIsMeasured() throws IOException {
        runAndCheck("--engines example --work mixed --threads 2 --memory-percent 50", 1);
        assertThat(directory.resolve("kv.html")).content(StandardCharsets.UTF_8).contains("example");
    }

    @Tag("ci")
    @Test
    void allWorkIsPlayedOnAllEnginesInTurn() throws IOException {
        assertThat(runAndCheck("--work gets,mixed,inserts,scans,updates --threads 1", 20))
                .contains("tupl against example: ");
    }

    @Tag("ci")
    @Test
    void enginesThatWaitRunOneAfterTheOther() throws IOException {
        assertThat(runAndCheck("--engines example,mvstore --work updates --durability forced --threads 2", 2))
                .doesNotContain("mvstore against example: ");
    }

    private boolean crash(String options, int kills) {
        return new CrashRuns(
                        parse(options + " --crash-runs " + kills),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(kills);
    }

    @Test
    void commitsSurviveKills() throws IOException {
        assertThat(crash("--engines example", 1))
                .as(err.toString(StandardCharsets.UTF_8))
                .isTrue();
        assertFields(
                new ObjectMapper()
                        .readTree(directory.resolve("kv.json").toFile())
                        .get("crashes")
                        .get(0),
                "kills=1 problem=null");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Every commit that was acknowledged was there");
    }

    @Tag("ci")
    @Test
    void commitsOfAllEnginesSurviveKills() {
        assertThat(crash("", 2)).as(err.toString(StandardCharsets.UTF_8)).isTrue();
    }

    @Test
    void nonsenseIsRefused() {
        refused("--engines sqlite", "unknown engine 'sqlite'; did you mean");
        refused("--work reads", "unknown work 'reads'");
        refused("--entries 10", "--entries must lie in 1000");
        refused("--memory-percent 0", "--memory-percent must lie in 1");
        refused("--crash-runs 0", "--crash-runs must lie in 1");
        refused("--crash-runs 2 --work gets", "--crash-runs excludes --work");
        refused("--durability never", "unknown durability 'never'");
    }

    private void refused(String options, String message) {
        assertThatThrownBy(() -> parse(options))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }
}
