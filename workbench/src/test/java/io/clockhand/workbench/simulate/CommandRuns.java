// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.experiment.options.ParsedOptions;
import io.clockhand.workbench.simulate.SimulateCommand.SimulateRuns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole command in a directory of its own. */
abstract class CommandRuns {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static Settings parsed(String line) {
        return ParsedOptions.parse(new Settings(), Settings::check, line.strip());
    }

    /** Whether all holds that is checked. */
    boolean run(String line) {
        return new SimulateRuns(
                        parsed(line + " --out " + directory.resolve("out")),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    JsonNode json() throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve("out/simulate.json").toFile());
    }

    JsonNode results(String line) throws IOException {
        run(line);
        return json().get("results");
    }

    String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String reported() {
        return err.toString(StandardCharsets.UTF_8);
    }

    Path trace(int... pages) throws IOException {
        String lines = Arrays.stream(pages).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
        return Files.writeString(directory.resolve("mixed.trace"), lines);
    }
}
