// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.tpcc.load.Scale;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on a tiny database, with child JVMs and both caches. */
class TpccRunsTest {
    private static final Scale TINY = new Scale(1, 2, 30, 200, 3);

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private boolean run(int poolPages, String... caches) {
        Installation installation = Installation.here();
        Settings settings = TpccReportTest.settings("--warehouses 1 --terminals 2 --seconds 2 --warmup 1"
                + " --seed 3 --heap 128m --pool-pages " + poolPages + " --caches " + String.join(",", caches)
                + " --out " + directory.resolve("out") + " --data " + directory.resolve("data"));
        return new TpccRuns(
                        settings,
                        TINY,
                        installation,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    @Test
    void bothCachesRunAndKeepTheDataConsistent() throws IOException {
        boolean good = run(60, "derby", "nb-gclock3");

        assertThat(good).as(err.toString(StandardCharsets.UTF_8)).isTrue();
        JsonNode json =
                new ObjectMapper().readTree(directory.resolve("out/tpcc.json").toFile());
        assertThat(json.get("runs")).hasSize(2);
        for (JsonNode run : json.get("runs")) {
            assertThat(run.get("transactions").longValue()).isPositive();
            assertThat(run.get("consistency")).hasSize(12).allMatch(JsonNode::booleanValue);
            assertThat(run.get("maxResidentPages").intValue()).isPositive();
        }
        for (JsonNode counted : json.get("counted")) {
            assertThat(counted.get("hitRatio").doubleValue()).isBetween(0.1, 1.0);
            assertThat(counted.get("pageReads").longValue()).isPositive();
            assertThat(counted.get("transactions").longValue()).isPositive();
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Not an audited TPC-C result");
        assertThat(directory.resolve("out")).isDirectoryContaining("glob:**/tpcc.html");
        try (Stream<Path> left = Files.walk(directory.resolve("data"))) {
            assertThat(left).noneMatch(path -> path.endsWith("run"));
        }
    }

    @Test
    void resultsThatCannotBeWrittenAreRefusedBeforeLoading() throws IOException {
        Files.writeString(directory.resolve("out"), "a file, not a directory");

        assertThatThrownBy(() -> run(60, "derby"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(", the directory for the results: ");
        assertThat(directory.resolve("data")).doesNotExist();
    }
}
