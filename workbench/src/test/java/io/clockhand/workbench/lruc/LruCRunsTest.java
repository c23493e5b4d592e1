// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.experiment.Experiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on a small database, with child JVMs. */
class LruCRunsTest {
    @TempDir
    private Path directory;

    private Experiments.Output run(String line) throws IOException {
        return Experiments.run(new LruC(), line, directory.resolve("out"));
    }

    @Test
    void clockOnASmallDeviceHasAllFigures() throws IOException {
        Experiments.Output output =
                run("--schemes clock-c --pages 500 --time-scale 0.1 --threads 4 --seconds 1 --warmup 0");

        JsonNode run = output.runs().get(0);
        assertThat(run.get("frames").intValue()).isEqualTo(50);
        for (String measured : List.of(
                "operationsPerSecond",
                "missRatio",
                "readStallPercent",
                "readsPerSecond",
                "writesPerSecond",
                "utilisationPercent")) {
            assertThat(run.get(measured).isNumber()).as(measured).isTrue();
        }
        assertThat(run.get("latencyMicros").has("p99")).isTrue();
        assertThat(run.get("threadsPerChannel").doubleValue()).isEqualTo(4 / 128.0);
        assertThat(run.get("overTime").isArray()).isTrue();
        assertThat(run.get("lostChanges").longValue()).isZero();
        assertThat(run.get("valid").booleanValue()).isTrue();
        assertThat(output.out()).contains("every change was found in its page after the close");
    }

    @Tag("ci")
    @Test
    void diskIsUsedPastTheCacheAndItsFileIsDeleted() throws IOException {
        JsonNode run = run("--schemes pool:lru --device real --pages 400 --threads 2 --seconds 1 --warmup 0 --data "
                        + directory.resolve("data"))
                .runs()
                .get(0);

        assertThat(run.get("pageBytes").intValue()).isEqualTo(4096);
        assertThat(run.get("timeScale").isNull()).isTrue();
        assertThat(run.get("utilisationPercent").isNull()).isTrue();
        assertThat(run.get("stable").isNull()).isTrue();
        assertThat(run.get("readsPerSecond").isNumber()).isTrue();
        assertThat(run.get("lostChanges").longValue()).isZero();
        assertThat(directory.resolve("data")).isEmptyDirectory();
    }

    @Tag("ci")
    @Test
    void traceIsPlayedWithItsWrites() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int n = 0; n < 400; n++) {
            lines.append(7 * (n % 40)).append(n % 3 == 0 ? " w\n" : "\n");
        }
        Path trace = Files.writeString(directory.resolve("loop.trace"), lines);

        JsonNode run = run("--schemes war --workload trace:" + trace
                        + " --time-scale 0.1 --threads 1 --pool-percent 20 --seconds 1 --warmup 0")
                .runs()
                .get(0);

        assertThat(run.get("pages").intValue()).isEqualTo(40);
        assertThat(run.get("writesPerSecond").isNumber()).isTrue();
        assertThat(run.get("readWrite").isNull()).isTrue();
    }

    @Test
    void poolThatIsTooSmallForTheThreadsEndsTheCommandBeforeAnyRun() throws IOException {
        Path trace = Files.writeString(directory.resolve("short.trace"), "1\n2\n3\n");

        assertThatThrownBy(() -> run("--schemes clock-c --workload trace:" + trace))
                .hasMessageContaining("needs 4 for each thread; raise --pool-percent, or lower --threads");
    }
}
