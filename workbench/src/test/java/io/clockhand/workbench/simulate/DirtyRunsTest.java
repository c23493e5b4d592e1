// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.simulate.SimulateCommand.SimulateRuns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command with pages that become dirty. */
class DirtyRunsTest {
    private static final int REFERENCES = 20_000;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Without the times that they took. */
    private JsonNode results(String line) throws IOException {
        Settings settings = SimulateRunsTest.parsed(line + " --out " + directory.resolve("out"));
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(new SimulateRuns(settings, printed, new PrintStream(OutputStream.nullOutputStream())).run())
                .isTrue();
        JsonNode results = new ObjectMapper()
                .readTree(directory.resolve("out/simulate.json").toFile())
                .get("results");
        results.forEach(result -> ((ObjectNode) result).remove("cpuSeconds"));
        return results;
    }

    private Path mixed() throws IOException {
        String lines = Arrays.stream(Streams.mixed(5, 300, REFERENCES))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("\n"));
        return Files.writeString(directory.resolve("mixed.trace"), lines);
    }

    private static List<Long> numbers(JsonNode results, String field) {
        List<Long> numbers = new ArrayList<>();
        results.forEach(result -> numbers.add(
                result.get(field).isNull() ? null : result.get(field).longValue()));
        return numbers;
    }

    @Test
    void eachDirtyShareIsSimulatedAndReported() throws IOException {
        String line = "--policies lru,nb-gclock3,opt --frames 50 --threads 1,3 --trace " + mixed();
        JsonNode clean = results(line);
        JsonNode both = results(line + " --dirty-share 0,40");

        assertThat(both).hasSize(12);
        for (int i = 0; i < 3; i++) {
            assertThat(both.get(i)).as("nothing changes without dirt").isEqualTo(clean.get(i));
            assertThat(both.get(6 + i)).isEqualTo(clean.get(3 + i));
        }
        for (int i = 3; i < 6; i++) {
            JsonNode dirty = both.get(i);
            assertThat(dirty.get("dirtyShare").doubleValue()).isEqualTo(0.4);
            boolean optimum = dirty.get("policy").textValue().equals("opt");
            assertThat(dirty.get("writes").isNull()).isEqualTo(optimum);
            assertThat(dirty.get("readStalls").isNull()).isEqualTo(optimum);
            if (optimum) {
                assertThat(dirty.get("hits")).isEqualTo(clean.get(2).get("hits"));
            } else {
                assertThat(dirty.get("writes").longValue()).isBetween(1_000L, REFERENCES * 4L / 10);
            }
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("to 300 pages, 40 % make their page dirty:");
    }

    @Test
    void dirtIsTheSameEachTimeAndAnotherWithAnotherSeed() throws IOException {
        String line = "--policies lru,2q,lirs --frames 50 --dirty-share 30 --trace " + mixed();
        JsonNode first = results(line);

        assertThat(results(line)).isEqualTo(first);
        assertThat(numbers(results(line + " --seed 2"), "writes")).isNotEqualTo(numbers(first, "writes"));
    }

    /** The first page is the only one that is written, and is passed three times before it is written. */
    @Test
    void marksOfATraceMakePagesDirty() throws IOException {
        Path trace = Files.writeString(directory.resolve("marked"), "7 w\n1\n2\n3\n7\n4\n7\n");
        String line = "--policies lru --frames 3 --write-time 9 --trace " + trace;

        JsonNode marked = results(line + " --dirty-share trace").get(0);
        assertFields(marked, "dirtyShare=" + 1 / 7.0 + " hits=2 writes=1 readStalls=0");

        JsonNode ignored = results(line).get(0);
        assertFields(ignored, "dirtyShare=0.0 hits=1 writes=0");
    }

    @Test
    void slowCleanerStallsMisses() throws IOException {
        String line = "--policies lru --frames 50 --dirty-share 60 --write-time 40 --trace " + mixed();
        long fast = numbers(results(line), "readStalls").get(0);
        long slow =
                numbers(results(line + " --writes-in-flight 1"), "readStalls").get(0);

        assertThat(slow).isGreaterThan(3 * fast);
    }

    @Test
    void traceWithoutMarksIsRefusedWhereTheyAreAskedFor() throws IOException {
        Path trace = mixed();
        assertThatThrownBy(() -> results("--policies lru --frames 50 --dirty-share trace --trace " + trace))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("marks no reference as a write");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--dirty-share 101 | percent from 0 to 100, or trace",
                "--dirty-share marks | not 'marks'",
                "--dirty-share 30,30.0 | --dirty-share names a share twice",
                "--dirty-share trace --trace tpcc:1 | needs a FILE",
                "--write-time -1 | --write-time must lie in 0 … 1000000, not -1",
                "--writes-in-flight 0 | --writes-in-flight must lie in 1 … 1048576, or be adaptive, not '0'",
                "--writes-in-flight many | not 'many'"
            })
    void wrongValuesAreRefused(String line, String sentence) {
        assertThatThrownBy(() -> SimulateRunsTest.parsed(line)).hasMessageContaining(sentence);
    }
}
