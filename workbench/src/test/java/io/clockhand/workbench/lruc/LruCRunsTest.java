// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.assertNumbers;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.experiment.Experiments;
import java.io.IOException;
import java.nio.file.Path;
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
        assertNumbers(
                run,
                "operationsPerSecond",
                "missRatio",
                "readStallPercent",
                "readsPerSecond",
                "writesPerSecond",
                "utilisationPercent");
        assertNumbers(run.get("latencyMicros"), "p99");
        assertFields(run, "frames=50 threadsPerChannel=" + 4 / 128.0 + " lostChanges=0 valid=true");
        assertThat(run.get("overTime").isArray()).isTrue();
        assertThat(output.out()).contains("every change was found in its page after the close");
    }

    @Tag("ci")
    @Test
    void diskIsUsedPastTheCacheAndItsFileIsDeleted() throws IOException {
        JsonNode run = run("--schemes pool:lru --device real --pages 400 --threads 2 --seconds 1 --warmup 0 --data "
                        + directory.resolve("data"))
                .runs()
                .get(0);

        assertFields(run, "pageBytes=4096 timeScale=null utilisationPercent=null stable=null lostChanges=0");
        assertNumbers(run, "readsPerSecond");
        assertThat(directory.resolve("data")).isEmptyDirectory();
    }
}
